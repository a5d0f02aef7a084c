package dev.toolcrib.spring.boot.web;

import dev.toolcrib.Caller;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/** Gives a {@link Caller} parameter of a handler method the caller of the request. */
public final class CallerArgumentResolver implements HandlerMethodArgumentResolver {

  private final RequiredCaller callers;

  /**
   * Resolves parameters.
   *
   * @param callers tells the caller
   */
  public CallerArgumentResolver(RequiredCaller callers) {
    this.callers = callers;
  }

  @Override
  public boolean supportsParameter(MethodParameter parameter) {
    return parameter.getParameterType() == Caller.class;
  }

  @Override
  public Caller resolveArgument(
      MethodParameter parameter,
      @Nullable ModelAndViewContainer container,
      NativeWebRequest request,
      @Nullable WebDataBinderFactory binders) {
    HttpServletRequest servletRequest = request.getNativeRequest(HttpServletRequest.class);
    if (servletRequest == null) {
      throw new IllegalStateException("not a servlet request");
    }
    return callers.of(servletRequest);
  }
}
