package dev.toolcrib.spring.boot;

/**
 * Who asks is known but may use no tools at all, for example because no tenant can be told. The
 * endpoints answer with status 403.
 */
public class CallerDeniedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /**
   * A denial.
   *
   * @param reason why; whoever asks reads it
   */
  public CallerDeniedException(String reason) {
    super(reason);
  }
}
