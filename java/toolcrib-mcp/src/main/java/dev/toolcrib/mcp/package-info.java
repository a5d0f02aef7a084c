/**
 * MCP servers as sources of tools: which there are, from {@code mcp.json} or code, connections to
 * them in the background, and their tools in a registry.
 *
 * <pre>{@code
 * McpConfig config = McpConfig.read(List.of(Path.of("mcp.json")));
 * McpSources sources = McpSources.builder(registry).servers(config.servers()).start();
 * }</pre>
 */
@NullMarked
package dev.toolcrib.mcp;

import org.jspecify.annotations.NullMarked;
