package dev.toolcrib.mcp;

/** A request that is refused before it is a message, with a status of HTTP. */
final class HttpRefusal extends Exception {

  private static final long serialVersionUID = 1;

  final int status;
  final int code;

  /**
   * A refusal.
   *
   * @param status the status of HTTP
   * @param code the code of JSON-RPC in the body
   */
  HttpRefusal(int status, int code, String message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
