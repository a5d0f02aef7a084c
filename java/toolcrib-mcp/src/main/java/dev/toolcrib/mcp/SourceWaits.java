package dev.toolcrib.mcp;

import dev.toolcrib.Caller;
import dev.toolcrib.ToolRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What a call waits for: a search for all servers that were not tried yet, a tool for its own. */
final class SourceWaits {

  private final ToolRegistry registry;
  private final @Nullable McpSources sources;
  private final Duration longest;

  SourceWaits(ToolRegistry registry, @Nullable McpSources sources, Duration longest) {
    this.registry = registry;
    this.sources = sources;
    this.longest = longest;
  }

  /**
   * Completes with the servers that were waited for in vain. Whether a tool's own server is waited
   * for tells that there is such a server, so that it is only for those who may know.
   */
  CompletableFuture<List<String>> before(
      Caller caller, String tool, @Nullable Map<?, ?> arguments) {
    if (sources == null) {
      return CompletableFuture.completedFuture(List.of());
    }
    String named = Json.string(arguments, "name");
    String meant = ListedTools.isOwn(tool) && named != null ? named : tool;
    boolean searches = tool.equals("tool_search") || tool.equals("codemode");
    return sources.whenSettled(
        server ->
            searches
                || (meant.startsWith("mcp__" + server.name() + "__")
                    && registry.maySeeSource(caller, server.name())),
        longest);
  }

  /** What a search says of them; null if nothing may be said to this caller. */
  @Nullable String note(Caller caller, List<String> waiting) {
    List<String> known =
        waiting.stream().filter(server -> registry.maySeeSource(caller, server)).toList();
    return known.isEmpty()
        ? null
        : "Not searched, since they are still being connected: %s. Search again later."
            .formatted(String.join(", ", known));
  }
}
