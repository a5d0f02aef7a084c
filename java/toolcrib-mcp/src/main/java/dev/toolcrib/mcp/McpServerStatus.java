package dev.toolcrib.mcp;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a server is.
 *
 * @param name its name
 * @param state what it is doing
 * @param since since when
 * @param tools how many of its tools are published
 * @param error what went wrong last, for operators: with the last lines that a program wrote to its
 *     standard error; null if nothing did
 */
public record McpServerStatus(
    String name, McpServerState state, Instant since, int tools, @Nullable String error) {

  /**
   * Whether it was tried at least once, well or not.
   *
   * @return false as long as waiting may help
   */
  public boolean settled() {
    return state != McpServerState.CONNECTING;
  }
}
