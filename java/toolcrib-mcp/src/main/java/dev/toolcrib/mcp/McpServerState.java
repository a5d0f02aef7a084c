package dev.toolcrib.mcp;

/** What a server is doing. */
public enum McpServerState {
  /** It is switched off and never connected. */
  DISABLED,
  /** It is being started or reached, or says what tools it has. */
  CONNECTING,
  /** Its tools are published and can be called. */
  CONNECTED,
  /** It was connected and is gone; its tools stay, and it is tried again. */
  DISCONNECTED,
  /** It could not be connected; it is tried again, unless its configuration cannot be right. */
  FAILED,
  /** It wants to know who asks, and does not take what it was told. */
  UNAUTHORIZED,
  /** It was closed by {@link McpSources}. */
  CLOSED
}
