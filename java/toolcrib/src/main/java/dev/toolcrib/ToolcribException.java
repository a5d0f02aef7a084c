package dev.toolcrib;

/**
 * Something Toolcrib refuses or cannot do. The code is stable and can be compared; the message is
 * for people and names the mend. What can only be a mistake in the calling code is an {@link
 * IllegalArgumentException} or an {@link IllegalStateException} instead.
 */
public class ToolcribException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final String code;

  ToolcribException(String code, String message) {
    super(message);
    this.code = code;
  }

  ToolcribException(String code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /**
   * What kind of error it is, for example {@code limit_exceeded}.
   *
   * @return the stable code, in lower case with underscores
   */
  public String code() {
    return code;
  }
}
