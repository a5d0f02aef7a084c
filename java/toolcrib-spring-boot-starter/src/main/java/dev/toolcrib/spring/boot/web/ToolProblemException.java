package dev.toolcrib.spring.boot.web;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** A problem in the form of RFC 9457, with a stable {@code code} that programs can compare. */
public final class ToolProblemException extends ErrorResponseException {

  private static final long serialVersionUID = 1;

  private final String code;

  ToolProblemException(HttpStatus status, String code, String detail, @Nullable Throwable cause) {
    super(status, ProblemDetail.forStatusAndDetail(status, detail), cause);
    this.code = code;
    getBody().setProperty("code", code);
  }

  /**
   * What kind of problem it is, for example {@code caller_required}.
   *
   * @return the stable code
   */
  public String code() {
    return code;
  }
}
