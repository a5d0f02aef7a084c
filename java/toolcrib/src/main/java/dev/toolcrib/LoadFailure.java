package dev.toolcrib;

/** Why the native library cannot be loaded, with what to do about it. */
final class LoadFailure extends Exception {

  private static final long serialVersionUID = 1;

  LoadFailure(String message) {
    super(message);
  }

  LoadFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
