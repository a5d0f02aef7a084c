package dev.toolcrib.mcp;

/**
 * A server cannot be connected as it is configured; trying again would not help. The message is for
 * people and holds no secret.
 */
final class McpSetupException extends RuntimeException {

  private static final long serialVersionUID = 1;

  McpSetupException(String message) {
    super(message);
  }

  McpSetupException(String message, Throwable cause) {
    super(message, cause);
  }
}
