package dev.toolcrib.mcp;

import dev.toolcrib.Caller;
import dev.toolcrib.Exposure;
import dev.toolcrib.Naming;
import dev.toolcrib.ToolAnnotations;
import dev.toolcrib.ToolDefinition;
import dev.toolcrib.ToolExecutor;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolResult;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import tools.jackson.databind.JsonNode;

/** What tests of our server share: a registry with a few tools, and clients over HTTP. */
abstract class McpServerTest {

  static final String SCHEMA =
      "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}},\"required\":[\"city\"]}";

  /** Tenant acme may use all, tenant rest only the weather, unless a test says otherwise. */
  volatile Function<Caller, ToolSelection> rights =
      caller ->
          caller.tenant().equals("acme") ? ToolSelection.all() : ToolSelection.sources("weather");

  final ToolRegistry registry =
      ToolRegistry.builder().authorizer(caller -> rights.apply(caller)).build();

  final List<AutoCloseable> open = new ArrayList<>();
  McpHttpServlet servlet;

  @BeforeEach
  void sources() {
    registry.putAll(
        List.of(
            ToolSource.named("weather")
                .exposure(Exposure.DEFERRED)
                .tool(tool("forecast", "Weather forecast of a city"), answer("sunny"))
                .tool(tool("history", "Past weather of a city"), answer("rainy"))
                .build(),
            ToolSource.named("desk")
                .naming(Naming.PLAIN)
                .exposure(Exposure.DIRECT)
                .tool(
                    ToolDefinition.named("open_ticket")
                        .description("Opens a ticket")
                        .inputSchema(SCHEMA)
                        .outputSchema("{\"type\":\"object\"}")
                        .annotations(ToolAnnotations.READ_ONLY)
                        .build(),
                    ToolExecutor.blocking(call -> ToolResult.json("{\"id\":7788}")))
                .tool(
                    tool("show_picture", "Shows a picture"),
                    ToolExecutor.blocking(
                        call ->
                            new ToolResult(
                                "[image]",
                                null,
                                false,
                                "[{\"type\":\"image\",\"data\":\"AAAA\",\"mimeType\":\"image/png\"}]")))
                .build()));
  }

  @AfterEach
  void close() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
    registry.close();
  }

  static ToolDefinition tool(String name, String description) {
    return ToolDefinition.named(name).description(description).inputSchema(SCHEMA).build();
  }

  static ToolExecutor answer(String text) {
    return ToolExecutor.blocking(call -> ToolResult.text(text));
  }

  HttpHost host(McpServerOptions options) throws Exception {
    return host(McpToolServer.of(registry, HttpHost.callers(), options), false);
  }

  HttpHost host(McpToolServer server, boolean stateless) throws Exception {
    servlet =
        McpHttpServlet.builder(server).context(HttpHost::context).stateless(stateless).build();
    HttpHost host = new HttpHost(servlet);
    open.add(host);
    return host;
  }

  HttpHost host() throws Exception {
    return host(McpServerOptions.defaults());
  }

  RawClient ann(HttpHost host) throws Exception {
    return new RawClient(host.url(), "acme/ann").initialize();
  }

  HttpHost gateway(MemoryTransport transport) throws Exception {
    return gateway(transport, McpServerOptions.defaults());
  }

  HttpHost gateway(MemoryTransport transport, McpServerOptions options) throws Exception {
    McpSources sources =
        McpSources.builder(registry)
            .servers(List.of(McpServerConfig.http("fake", "http://127.0.0.1:1/")))
            .transport("fake", () -> transport)
            .start();
    open.add(sources);
    return host(McpToolServer.of(registry, HttpHost.callers(), options, sources), false);
  }

  static String text(JsonNode answer) {
    return answer.path("result").path("content").get(0).path("text").asString();
  }

  /** What a client is told unasked. */
  static final class Events implements AutoCloseable {
    final List<String> seen = new CopyOnWriteArrayList<>();
    private final InputStream stream;
    private final BufferedReader reader;

    Events(RawClient client) throws Exception {
      stream =
          client
              .http()
              .send(
                  client.request().header("Accept", "text/event-stream").GET().build(),
                  HttpResponse.BodyHandlers.ofInputStream())
              .body();
      reader = new BufferedReader(new InputStreamReader(stream));
    }

    String next() throws Exception {
      String line = reader.readLine();
      while (!line.startsWith("data: ")) {
        line = reader.readLine();
      }
      seen.add(line);
      return line;
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }
}
