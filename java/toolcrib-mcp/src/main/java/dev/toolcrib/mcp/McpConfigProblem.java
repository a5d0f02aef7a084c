package dev.toolcrib.mcp;

/**
 * Something in an {@code mcp.json} that should be mended.
 *
 * @param where the file, and the place in it, for example {@code mcp.json:
 *     mcpServers.files.timeout}
 * @param message what is wrong and how to mend it; never holds a value that could be secret
 * @param severity what follows from it
 */
public record McpConfigProblem(String where, String message, Severity severity) {

  /** What follows from a problem. */
  public enum Severity {
    /** Nothing: something was ignored. */
    WARNING,
    /** This server is left out, or, if an earlier file has it, stays as it is there. */
    SERVER_SKIPPED,
    /** Nothing of the file counts. */
    FILE_SKIPPED
  }

  @Override
  public String toString() {
    return where + ": " + message;
  }
}
