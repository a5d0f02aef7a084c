package dev.toolcrib.spring.boot.web;

import dev.toolcrib.Caller;
import dev.toolcrib.spring.boot.CallerDeniedException;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

/** The caller of a request, or a problem to answer with. */
public final class RequiredCaller {

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
   * @throws ToolProblemException with status 401 if nobody is known, with status 403 if denied
   */
  public Caller of(HttpServletRequest request) {
    Caller caller;
    try {
      caller = resolver.resolve(request);
    } catch (CallerDeniedException e) {
      throw new ToolProblemException(
          HttpStatus.FORBIDDEN, "caller_denied", String.valueOf(e.getMessage()), e);
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
