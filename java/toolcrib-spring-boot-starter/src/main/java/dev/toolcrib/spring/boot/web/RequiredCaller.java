package dev.toolcrib.spring.boot.web;

import dev.toolcrib.Caller;
import dev.toolcrib.spring.boot.CallerDeniedException;
import jakarta.servlet.http.HttpServletRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponseException;

/** The caller of a request, or a problem to answer with. */
public final class RequiredCaller {

  private static final Logger LOG = LoggerFactory.getLogger(CallerResolver.class);

  private final CallerResolver resolver;
  private final String challenge;

  /**
   * Requires callers.
   *
   * @param resolver tells the caller
   * @param challenge how to authenticate, for the header {@code WWW-Authenticate}
   */
  public RequiredCaller(CallerResolver resolver, String challenge) {
    this.resolver = resolver;
    this.challenge = challenge;
  }

  /**
   * The caller of a request.
   *
   * @param request the request
   * @return the caller
   * @throws ToolProblemException with status 401 if nobody is known, 403 if denied, 500 if the
   *     resolver threw
   */
  public Caller of(HttpServletRequest request) {
    Caller caller;
    try {
      caller = resolver.resolve(request);
    } catch (CallerDeniedException e) {
      throw new ToolProblemException(
          HttpStatus.FORBIDDEN, "caller_denied", String.valueOf(e.getMessage()), e);
    } catch (ErrorResponseException e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.error("the caller of a request cannot be told, so it is denied", e);
      throw new ToolProblemException(
          HttpStatus.INTERNAL_SERVER_ERROR, "internal_error", "The request failed.", e);
    }
    if (caller == null) {
      ToolProblemException problem =
          new ToolProblemException(
              HttpStatus.UNAUTHORIZED,
              "caller_required",
              "The request does not say who asks.",
              null);
      problem.getHeaders().set(HttpHeaders.WWW_AUTHENTICATE, challenge);
      throw problem;
    }
    return caller;
  }
}
