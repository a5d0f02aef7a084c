package dev.toolcrib;

/**
 * How the tools of a source are named publicly.
 *
 * <p>A public name is a pure function of source and tool; it depends neither on other tools nor on
 * who asks. It has at most 64 characters of {@code [A-Za-z0-9_-]}; where something had to be
 * replaced or cut it ends in {@code _} and eight hexadecimal digits.
 */
public enum Naming {
  /** {@code mcp__<source>__<tool>}: tools that come from a server; the default. */
  NAMESPACED,
  /** The tool's own name: tools of the service's own code. */
  PLAIN,
  /**
   * As {@link #PLAIN}, and a tool may be named {@code tool_search}, {@code describe_tool}, {@code
   * call_tool} or {@code codemode}: it is declared from the start, unless hidden, and Toolcrib's
   * own of that name is not offered to callers who may use it. All others have Toolcrib's.
   */
  REPLACING
}
