package dev.toolcrib.mcp;

import dev.toolcrib.ToolSession;

/**
 * A session of tools while one request uses it.
 *
 * @param session the session
 * @param end run when the request needs it no longer
 */
record UsedSession(ToolSession session, Runnable end) implements AutoCloseable {

  @Override
  public void close() {
    end.run();
  }
}
