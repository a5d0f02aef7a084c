package dev.toolcrib;

/**
 * Thrown by a {@link ToolExecutor}, or what its stage fails with, when the tool could not be
 * executed at all, for example because the server it is on is away. Unlike that of other exceptions
 * its message is for the model: the call ends as {@link CallResult.Unavailable} with it.
 */
public class ToolUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /**
   * Says why.
   *
   * @param message what the model reads
   */
  public ToolUnavailableException(String message) {
    super(message);
  }

  /**
   * Says why.
   *
   * @param message what the model reads
   * @param cause what is logged
   */
  public ToolUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
