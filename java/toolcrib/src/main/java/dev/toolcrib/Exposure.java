package dev.toolcrib;

/** How a tool reaches the model. A matter of availability, never of permission. */
public enum Exposure {
  /** Declared to the model from the start of every session. */
  DIRECT,
  /**
   * Reached from scripts, by the tool {@code codemode}; where the service runs none for models, by
   * {@code tool_search}. The default.
   */
  CODEMODE,
  /** Reached by the tool {@code tool_search}, and by scripts that run anyhow. */
  DEFERRED,
  /** Not reachable. */
  HIDDEN
}
