package dev.toolcrib.mcp;

import dev.toolcrib.Caller;
import dev.toolcrib.Exposure;
import dev.toolcrib.ToolExecutor;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolResult;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSource;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema;
import jakarta.servlet.http.HttpServlet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A search and a call through our endpoint beside a call through the SDK's own server, which lists
 * all tools: bytes, estimated tokens and time. Run its main method.
 */
public final class McpBenchmark {

  private static final int ROUNDS = 200;
  private static final String[] VERBS = {"create", "list", "get", "update", "delete", "archive"};
  private static final String[] THINGS = {
    "invoice", "order", "customer", "shipment", "ticket", "contract", "employee", "machine"
  };
  private static final String SCHEMA =
      "{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"string\",\"description\":\"The"
          + " number of the %s in department"
          + " %d\"},\"note\":{\"type\":\"string\",\"description\":\"What to remember of"
          + " it\"}},\"required\":[\"id\"]}";

  private McpBenchmark() {}

  /**
   * Measures and prints a table.
   *
   * @param arguments how many tools, several numbers; 100, 1,000 and 10,000 unless given
   * @throws Exception if anything goes wrong
   */
  public static void main(String[] arguments) throws Exception {
    System.out.println(
        "| tools | | first list: bytes | ~tokens | list p50 | search: bytes | search p50 | call p50"
            + " |");
    System.out.println("|--:|---|--:|--:|--:|--:|--:|--:|");
    int[] sizes =
        arguments.length == 0
            ? new int[] {100, 1_000, 10_000}
            : Arrays.stream(arguments).mapToInt(Integer::parseInt).toArray();
    try {
      for (int size : sizes) {
        plain(size);
        ours(size);
      }
    } catch (Exception | Error e) {
      e.printStackTrace();
      System.exit(1);
    }
    // Threads of the container and of the SDK would go on for ever.
    System.exit(0);
  }

  private record Tool(String name, String description, String schema) {}

  private static List<Tool> tools(int size) {
    List<Tool> tools = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      String verb = VERBS[i % VERBS.length];
      String thing = THINGS[(i / VERBS.length) % THINGS.length];
      int department = i / (VERBS.length * THINGS.length);
      tools.add(
          new Tool(
              "%s_%s_%d".formatted(verb, thing, department),
              "Will %s one %s of department %d and tell what came of it"
                  .formatted(verb, thing, department),
              SCHEMA.formatted(thing, department)));
    }
    return tools;
  }

  private static void plain(int size) throws Exception {
    HttpServletStreamableServerTransportProvider transport =
        HttpServletStreamableServerTransportProvider.builder().mcpEndpoint("/mcp").build();
    List<SyncToolSpecification> specifications = new ArrayList<>();
    for (Tool tool : tools(size)) {
      McpSchema.Tool declared =
          Json.MCP.readValue(
              "{\"name\":\"%s\",\"description\":\"%s\",\"inputSchema\":%s}"
                  .formatted(tool.name(), tool.description(), tool.schema()),
              McpSchema.Tool.class);
      specifications.add(
          SyncToolSpecification.builder()
              .tool(declared)
              .callHandler(
                  (exchange, request) ->
                      McpSchema.CallToolResult.builder().addTextContent("done").build())
              .build());
    }
    McpSyncServer server =
        McpServer.sync(transport)
            .capabilities(McpSchema.ServerCapabilities.builder().tools(true).build())
            .tools(specifications)
            .build();
    try (HttpHost host = new HttpHost((HttpServlet) transport)) {
      RawClient client = new RawClient(host.url(), "acme/ann").initialize();
      String last = tools(size).get(size - 1).name();
      row(
          size,
          "SDK, all listed",
          client.send("tools/list", Map.of()).body().length(),
          time(() -> client.send("tools/list", Map.of())),
          0,
          0,
          time(() -> client.call(last, Map.of("id", "1"))));
    } finally {
      server.close();
    }
  }

  private static void ours(int size) throws Exception {
    ToolSource.Builder source =
        ToolSource.named("erp")
            .exposure(Exposure.DEFERRED)
            .executor(ToolExecutor.blocking(call -> ToolResult.text("done")));
    for (Tool tool : tools(size)) {
      source.tool(
          dev.toolcrib.ToolDefinition.named(tool.name())
              .description(tool.description())
              .inputSchema(tool.schema())
              .build());
    }
    try (ToolRegistry registry =
        ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build()) {
      registry.put(source.build());
      McpToolServer server =
          McpToolServer.of(
              registry, McpCallers.always(Caller.of("acme", "ann")), McpServerOptions.defaults());
      try (HttpHost host = new HttpHost(McpHttpServlet.builder(server).build())) {
        RawClient client = new RawClient(host.url(), "acme/ann").initialize();
        Map<String, Object> query =
            Map.of("query", "archive a machine of department %d".formatted((size - 1) / 48));
        Map<String, Object> call =
            Map.of(
                "name",
                "mcp__erp__" + tools(size).get(size - 1).name(),
                "arguments",
                Map.of("id", "1"));
        row(
            size,
            "Toolcrib, meta-tools",
            client.send("tools/list", Map.of()).body().length(),
            time(() -> client.send("tools/list", Map.of())),
            client.call("tool_search", query).toString().length(),
            time(() -> client.call("tool_search", query)),
            time(() -> client.call("call_tool", call)));
      }
    }
  }

  private interface Work {
    Object run() throws Exception;
  }

  /** The median in microseconds. */
  private static long time(Work work) throws Exception {
    long[] took = new long[ROUNDS];
    for (int i = 0; i < ROUNDS / 4; i++) {
      work.run();
    }
    for (int i = 0; i < ROUNDS; i++) {
      long start = System.nanoTime();
      work.run();
      took[i] = System.nanoTime() - start;
    }
    Arrays.sort(took);
    return took[ROUNDS / 2] / 1_000;
  }

  private static void row(
      int size, String what, int list, long listTime, int search, long searchTime, long callTime) {
    System.out.printf(
        "| %,d | %s | %,d | %,d | %s | %s | %s | %s |%n",
        size,
        what,
        list,
        list / 4,
        millis(listTime),
        search == 0 ? "" : "%,d".formatted(search),
        search == 0 ? "" : millis(searchTime),
        millis(callTime));
  }

  private static String millis(long micros) {
    return "%.1f ms".formatted(micros / 1_000.0);
  }
}
