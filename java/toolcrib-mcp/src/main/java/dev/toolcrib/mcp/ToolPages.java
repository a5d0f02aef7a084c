package dev.toolcrib.mcp;

import dev.toolcrib.mcp.McpFailure.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Fetches all pages of a server's list of tools, and no more than the limits allow. */
final class ToolPages {

  /** Most pages followed. */
  static final int MAX_PAGES = 1_000;

  /** Most tools of one server. */
  static final int MAX_TOOLS = 100_000;

  /** Most bytes of all pages of one server together. */
  static final long MAX_BYTES = 64L << 20;

  private final Connection connection;
  private final Duration timeout;
  private final Executor callbacks;
  private final List<byte[]> pages = new ArrayList<>();
  private final Set<String> cursors = new HashSet<>();
  private long bytes;
  private int tools;

  private ToolPages(Connection connection, Duration timeout, Executor callbacks) {
    this.connection = connection;
    this.timeout = timeout;
    this.callbacks = callbacks;
  }

  /**
   * The pages, each an array of tools in JSON.
   *
   * @return fails if a request does, a limit is passed, or a cursor comes twice
   */
  static CompletableFuture<List<byte[]>> fetch(
      Connection connection, Duration timeout, Executor callbacks) {
    return new ToolPages(connection, timeout, callbacks).from(null);
  }

  private CompletableFuture<List<byte[]>> from(@Nullable String cursor) {
    Map<String, Object> parameters = cursor == null ? Map.of() : Map.of("cursor", cursor);
    // Asynchronously, so that a thousand pages that are there at once do not nest a thousand deep.
    return connection
        .request("tools/list", parameters, Connection.Patience.of(timeout), true, null, null)
        .answer()
        .thenComposeAsync(this::take, callbacks);
  }

  private CompletableFuture<List<byte[]>> take(@Nullable Object result) {
    List<?> listed = Json.list(result, "tools");
    if (listed == null) {
      throw new McpFailure(Kind.NONSENSE, "the answer to tools/list has no list of tools");
    }
    // Not as bytes at once, which half a character in one description would keep from all tools.
    byte[] page = Json.text(listed).getBytes(StandardCharsets.UTF_8);
    pages.add(page);
    String next = Json.string(result, "nextCursor");
    // A cursor is kept as well, to know it again.
    bytes += page.length + (next == null ? 0 : next.length());
    tools += listed.size();
    if (tools > MAX_TOOLS || bytes > MAX_BYTES) {
      throw new McpFailure(
          Kind.NONSENSE,
          "the server has more than %s tools or %s bytes of them".formatted(MAX_TOOLS, MAX_BYTES));
    }
    if (next == null) {
      return CompletableFuture.completedFuture(List.copyOf(pages));
    }
    if (!cursors.add(next)) {
      throw new McpFailure(Kind.NONSENSE, "tools/list goes in circles: a cursor came twice");
    }
    if (pages.size() >= MAX_PAGES) {
      throw new McpFailure(Kind.NONSENSE, "tools/list has more than %s pages".formatted(MAX_PAGES));
    }
    return from(next);
  }
}
