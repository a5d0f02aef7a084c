package dev.toolcrib.spring.boot.mcp;

import dev.toolcrib.mcp.McpSources;

/**
 * Changes how MCP servers are connected, before they are; for example who supplies the bearer
 * tokens for one of them.
 */
@FunctionalInterface
public interface McpSourcesCustomizer {

  /**
   * Changes what is set so far.
   *
   * @param builder the builder
   */
  void customize(McpSources.Builder builder);
}
