package dev.toolcrib;

/** How a tool reaches the model. A matter of availability, never of permission. */
public enum Exposure {
  /** Declared to the model from the start of every session. */
  DIRECT,
  /** Reached from scripts and by tool search; the default. */
  CODEMODE,
  /** Reached by tool search and from scripts. */
  DEFERRED,
  /** Not reachable. */
  HIDDEN
}
