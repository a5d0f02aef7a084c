package dev.toolcrib.mcp;

import dev.toolcrib.Caller;
import io.modelcontextprotocol.common.McpTransportContext;
import org.jspecify.annotations.Nullable;

/**
 * Tells who the caller of an MCP request is, out of what its transport knows of it. Asked for each
 * request anew. Never take tenant, user or roles from what a client may write as it likes.
 */
@FunctionalInterface
public interface McpCallers {

  /**
   * The caller of a request.
   *
   * @param context what the transport's extractor kept of the request
   * @return the caller; null if nobody is known, who then sees no tools and may call none
   */
  @Nullable Caller of(McpTransportContext context);

  /**
   * One caller for all requests, for a server that one person starts, or for tests.
   *
   * @param caller the caller
   * @return callers that are always this one
   */
  static McpCallers always(Caller caller) {
    return context -> caller;
  }
}
