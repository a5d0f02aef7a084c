package dev.toolcrib;

/** The native library could not be loaded; the message says why and what to do. */
public final class ToolcribLoadException extends ToolcribException {

  private static final long serialVersionUID = 1;

  ToolcribLoadException(String message, Throwable cause) {
    super("load_failed", message, cause);
  }
}
