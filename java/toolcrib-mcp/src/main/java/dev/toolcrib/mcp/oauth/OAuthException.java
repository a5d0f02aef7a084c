package dev.toolcrib.mcp.oauth;

/** No token could be had for an MCP server, or it takes none. The message holds no secret. */
public final class OAuthException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** What is known of it. */
  enum Kind {
    /** Nothing more than the message. */
    GENERAL,
    /** The authorization server does not take what stands for an earlier agreement any more. */
    INVALID_GRANT,
    /** The token is good, but not for this one request. */
    INSUFFICIENT_SCOPE
  }

  private final Kind kind;

  OAuthException(String message) {
    this(message, Kind.GENERAL);
  }

  OAuthException(String message, Kind kind) {
    super(message);
    this.kind = kind;
  }

  boolean isInvalidGrant() {
    return kind == Kind.INVALID_GRANT;
  }

  /**
   * Whether the token is good, but not for this one request.
   *
   * @return true if other requests may go well with it
   */
  public boolean isInsufficientScope() {
    return kind == Kind.INSUFFICIENT_SCOPE;
  }
}
