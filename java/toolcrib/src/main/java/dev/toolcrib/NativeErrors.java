package dev.toolcrib;

/** The one table from the codes of native errors to exceptions. */
final class NativeErrors {

  private NativeErrors() {}

  /** Called by native code, which throws what this returns. */
  static RuntimeException exception(String code, String message) {
    return switch (code) {
      case "invalid_argument", "invalid_utf8" -> new IllegalArgumentException(message);
      case "closed" -> new IllegalStateException(message);
      case "internal" -> new ToolcribInternalException(message);
      default -> new ToolcribException(code, message);
    };
  }
}
