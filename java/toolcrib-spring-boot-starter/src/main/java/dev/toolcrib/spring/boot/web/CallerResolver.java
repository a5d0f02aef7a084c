package dev.toolcrib.spring.boot.web;

import dev.toolcrib.Caller;
import dev.toolcrib.spring.boot.CallerDeniedException;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Tells who the caller of a request is. With Spring Security there is one that makes the caller of
 * the request's authentication; without, and without a bean of this type, nobody is known and every
 * request is denied.
 *
 * <p>Never take tenant, user or roles from what a client may write as it likes.
 */
@FunctionalInterface
public interface CallerResolver {

  /**
   * The caller of a request.
   *
   * @param request the request
   * @return the caller; null if the request does not say who asks, which is answered with status
   *     401
   * @throws CallerDeniedException if it is known who asks, but not for which tenant, or if they may
   *     use no tools at all; answered with status 403
   */
  @Nullable Caller resolve(HttpServletRequest request);
}
