package dev.toolcrib.mcp;

import java.util.concurrent.CompletionException;

/** A request to a server that came to nothing. The message is for people and may be for models. */
final class McpFailure extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** What is known of the request. */
  enum Kind {
    /** The server refused it. */
    REFUSED,
    /** The server did not answer in time. */
    TIMEOUT,
    /** The server was gone before it answered; whether it did something is not known. */
    LOST,
    /** The request did not reach the server. */
    NOT_SENT,
    /** What the server answered makes no sense. */
    NONSENSE,
    /** Whoever asked does not want it any more. */
    CANCELLED,
    /** The server wants to know who asks. */
    UNAUTHORIZED
  }

  final Kind kind;

  McpFailure(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  McpFailure(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** What failed, without what a future puts around it. */
  static Throwable unwrapped(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
