package dev.toolcrib.mcp;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.toolcrib.mcp.FakeServer.Fault;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Our server, asked over HTTP by clients that are right and by some that are not. */
class McpToolServerTest {

  private static final String SCHEMA =
      "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}},\"required\":[\"city\"]}";

  /** Tenant acme may use all, tenant rest only the weather. */
  private final ToolRegistry registry =
      ToolRegistry.builder()
          .authorizer(
              caller ->
                  caller.tenant().equals("acme")
                      ? ToolSelection.all()
                      : ToolSelection.sources("weather"))
          .build();

  private final List<AutoCloseable> open = new ArrayList<>();
  private McpHttpServlet servlet;

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

  private static ToolDefinition tool(String name, String description) {
    return ToolDefinition.named(name).description(description).inputSchema(SCHEMA).build();
  }

  private static ToolExecutor answer(String text) {
    return ToolExecutor.blocking(call -> ToolResult.text(text));
  }

  private HttpHost host(McpServerOptions options) throws Exception {
    return host(McpToolServer.of(registry, HttpHost.callers(), options), false);
  }

  private HttpHost host(McpToolServer server, boolean stateless) throws Exception {
    servlet =
        McpHttpServlet.builder(server).context(HttpHost::context).stateless(stateless).build();
    HttpHost host = new HttpHost(servlet);
    open.add(host);
    return host;
  }

  private HttpHost host() throws Exception {
    return host(McpServerOptions.defaults());
  }

  private RawClient ann(HttpHost host) throws Exception {
    return new RawClient(host.url(), "acme/ann").initialize();
  }

  @Test
  void the_list_has_the_meta_tools_first_then_the_direct_tools_by_name() throws Exception {
    assertThat(ann(host()).toolNames())
        .containsExactly(
            "tool_search", "describe_tool", "call_tool", "open_ticket", "show_picture");
  }

  @Test
  void the_list_depends_on_rights_and_on_nothing_else() throws Exception {
    HttpHost host = host();
    RawClient bob = new RawClient(host.url(), "rest/bob").initialize();
    assertThat(bob.toolNames()).containsExactly("tool_search", "describe_tool", "call_tool");
    String before = bob.ask("tools/list", Map.of()).path("result").toString();
    bob.call("tool_search", Map.of("query", "weather"));
    assertThat(bob.ask("tools/list", Map.of()).path("result").toString()).isEqualTo(before);
  }

  @Test
  void a_search_of_the_service_takes_the_place_of_ours_for_who_may_use_it() throws Exception {
    registry.put(
        ToolSource.named("theirs")
            .naming(Naming.REPLACING)
            .tool(tool("tool_search", "Finds by another way"), answer("found by another way"))
            .build());
    HttpHost host = host();
    RawClient ann = ann(host);
    assertThat(ann.toolNames())
        .containsExactly(
            "tool_search", "describe_tool", "call_tool", "open_ticket", "show_picture");
    assertThat(ann.ask("tools/list", Map.of()).toString()).contains("Finds by another way");
    assertThat(ann.call("tool_search", Map.of("city", "Paris")).toString())
        .contains("found by another way");
    RawClient bob = new RawClient(host.url(), "rest/bob").initialize();
    assertThat(bob.ask("tools/list", Map.of()).toString()).doesNotContain("another way");
    assertThat(bob.call("tool_search", Map.of("query", "weather forecast")).toString())
        .contains("mcp__weather__forecast");
  }

  @Test
  void what_scripts_would_reach_is_found_where_they_are_withheld() throws Exception {
    ToolRegistry scripted =
        ToolRegistry.builder()
            .codemode(true)
            .authorizer(caller -> ToolSelection.sources("weather"))
            .build();
    open.add(scripted);
    scripted.put(
        ToolSource.named("weather").tool(tool("forecast", "Forecast"), answer("sunny")).build());
    McpServerOptions without =
        McpServerOptions.defaults().withWithheld(java.util.Set.of("codemode"));
    HttpHost host = host(McpToolServer.of(scripted, HttpHost.callers(), without), false);
    assertThat(ann(host).toolNames()).containsExactly("tool_search", "describe_tool", "call_tool");
  }

  @Test
  void annotations_and_output_schemas_pass_through() throws Exception {
    JsonNode tool = ann(host()).ask("tools/list", Map.of()).path("result").path("tools").get(3);
    assertThat(tool.path("annotations").path("readOnlyHint").asBoolean()).isTrue();
    assertThat(tool.path("outputSchema").path("type").asString()).isEqualTo("object");
  }

  @Test
  void a_tool_is_searched_described_and_called() throws Exception {
    RawClient ann = ann(host());
    String found = text(ann.call("tool_search", Map.of("query", "weather forecast")));
    assertThat(found).contains("mcp__weather__forecast", "call_tool");
    String described = text(ann.call("describe_tool", Map.of("name", "mcp__weather__forecast")));
    assertThat(described).contains("inputSchema", "city");
    JsonNode called =
        ann.call(
            "call_tool",
            Map.of("name", "mcp__weather__forecast", "arguments", Map.of("city", "Ulm")));
    assertThat(text(called)).isEqualTo("sunny");
  }

  @Test
  void wrong_arguments_say_how_to_mend_them() throws Exception {
    JsonNode answer =
        ann(host())
            .call(
                "call_tool",
                Map.of("name", "mcp__weather__forecast", "arguments", Map.of("town", "Ulm")));
    assertThat(answer.path("result").path("isError").asBoolean()).isTrue();
    assertThat(text(answer)).contains("city");
  }

  @Test
  void direct_tools_answer_with_their_structure_and_content() throws Exception {
    RawClient ann = ann(host());
    JsonNode ticket = ann.call("open_ticket", Map.of("city", "Ulm")).path("result");
    assertThat(ticket.path("structuredContent").path("id").asInt()).isEqualTo(7788);
    JsonNode picture = ann.call("show_picture", Map.of("city", "Ulm")).path("result");
    assertThat(picture.path("content").get(0).path("type").asString()).isEqualTo("image");
  }

  @Test
  void unknown_and_forbidden_tools_answer_alike() throws Exception {
    RawClient bob = new RawClient(host().url(), "rest/bob").initialize();
    for (String way : List.of("", "call_tool", "describe_tool")) {
      String forbidden = by(bob, way, "open_ticket");
      String unknown = by(bob, way, "eat_biscuit");
      assertThat(forbidden.replace("open_ticket", "eat_biscuit")).isEqualTo(unknown);
    }
  }

  private static String by(RawClient client, String way, String tool) throws Exception {
    JsonNode answer =
        way.isEmpty()
            ? client.call(tool, Map.of("city", "Ulm"))
            : client.call(
                way,
                way.equals("call_tool")
                    ? Map.of("name", tool, "arguments", Map.of("city", "Ulm"))
                    : Map.of("name", tool));
    ((tools.jackson.databind.node.ObjectNode) answer).remove("id");
    return answer.toString();
  }

  @Test
  void nobody_sees_an_empty_list_and_may_call_nothing() throws Exception {
    RawClient nobody = new RawClient(host().url(), null).initialize();
    assertThat(nobody.toolNames()).isEmpty();
    for (String tool : List.of("tool_search", "open_ticket", "nothing")) {
      JsonNode answer = nobody.call(tool, Map.of("query", "x", "city", "Ulm")).path("result");
      assertThat(answer.path("isError").asBoolean()).isTrue();
    }
  }

  @Test
  void the_caller_is_asked_for_each_request_anew() throws Exception {
    HttpHost host =
        host(McpToolServer.of(registry, HttpHost.callers(), McpServerOptions.defaults()), true);
    assertThat(new RawClient(host.url(), "acme/ann").toolNames()).contains("open_ticket");
    assertThat(new RawClient(host.url(), "rest/bob").toolNames()).doesNotContain("open_ticket");
    assertThat(new RawClient(host.url(), null).toolNames()).isEmpty();
    assertThat(
            text(
                new RawClient(host.url(), "rest/bob")
                    .call("tool_search", Map.of("query", "weather forecast"))))
        .contains("mcp__weather__forecast");
  }

  @Test
  void pages_follow_each_other_and_a_foreign_cursor_is_refused() throws Exception {
    RawClient ann = ann(host(McpServerOptions.defaults().withPageSize(2)));
    List<String> names = new ArrayList<>();
    Map<String, String> next = Map.of();
    for (int page = 0; page < 3; page++) {
      JsonNode result = ann.ask("tools/list", next).path("result");
      result.path("tools").forEach(tool -> names.add(tool.path("name").asString()));
      next = Map.of("cursor", result.path("nextCursor").asString(""));
    }
    assertThat(names)
        .containsExactly(
            "tool_search", "describe_tool", "call_tool", "open_ticket", "show_picture");
    assertThat(next).containsEntry("cursor", "");
    assertThat(ann.ask("tools/list", Map.of("cursor", "x!")).path("error").path("code").asInt())
        .isEqualTo(-32602);
  }

  @Test
  void what_is_withheld_is_neither_listed_nor_callable() throws Exception {
    RawClient ann =
        ann(host(McpServerOptions.defaults().withWithheld(java.util.Set.of("call_tool"))));
    assertThat(ann.toolNames()).doesNotContain("call_tool").contains("tool_search");
    assertThat(ann.call("call_tool", Map.of()).has("error")).isTrue();
  }

  @Test
  void a_session_lists_what_it_found_and_only_its_client_is_told() throws Exception {
    HttpHost host = host(McpServerOptions.defaults().withSessionMode(true));
    RawClient ann = ann(host);
    RawClient other = ann(host);
    assertThat(ann.toolNames()).containsExactly("tool_search", "open_ticket", "show_picture");
    try (Events told = new Events(ann);
        Events untold = new Events(other)) {
      JsonNode found = ann.call("tool_search", Map.of("query", "weather forecast"));
      assertThat(found.path("result").path("_meta").path(CallAnswers.ADDED).toString())
          .contains("mcp__weather__forecast");
      assertThat(told.next()).contains("notifications/tools/list_changed");
      other.call("tool_search", Map.of("query", "no such thing at all"));
      assertThat(untold.seen).isEmpty();
    }
    assertThat(ann.toolNames()).contains("mcp__weather__forecast");
    assertThat(other.toolNames()).doesNotContain("mcp__weather__forecast");
    assertThat(text(ann.call("mcp__weather__forecast", Map.of("city", "Ulm")))).isEqualTo("sunny");
    assertThat(text(other.call("mcp__weather__forecast", Map.of("city", "Ulm"))))
        .contains("tool_search");
  }

  @Test
  void a_session_does_not_exist_for_another_caller() throws Exception {
    HttpHost host = host();
    RawClient bob = new RawClient(host.url(), "acme/bob");
    bob.session = ann(host).session;
    assertThat(bob.send("tools/list", Map.of()).statusCode()).isEqualTo(404);
    bob.session = "nothing";
    assertThat(bob.send("tools/list", Map.of()).statusCode()).isEqualTo(404);
    bob.session = null;
    assertThat(bob.send("tools/list", Map.of()).statusCode()).isEqualTo(400);
  }

  @Test
  void one_caller_cannot_push_out_the_sessions_of_others() throws Exception {
    HttpHost host = host();
    RawClient bob = new RawClient(host.url(), "acme/bob").initialize();
    for (int i = 0; i < 120; i++) {
      ann(host);
    }
    assertThat(servlet.openSessions()).isEqualTo(101);
    assertThat(bob.toolNames()).isNotEmpty();
  }

  @Test
  void an_ended_session_is_gone() throws Exception {
    HttpHost host = host();
    RawClient ann = ann(host);
    HttpRequest end = ann.request().DELETE().build();
    assertThat(ann.http().send(end, HttpResponse.BodyHandlers.discarding()).statusCode())
        .isEqualTo(204);
    assertThat(ann.send("ping", Map.of()).statusCode()).isEqualTo(404);
    assertThat(servlet.openSessions()).isZero();
  }

  @Test
  void what_is_no_message_is_refused_in_the_form_of_json_rpc() throws Exception {
    RawClient ann = ann(host());
    for (String body :
        List.of("", "{", "[]", "7", "{}", "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"x\"}")) {
      HttpResponse<String> response = ann.post(body);
      assertThat(response.statusCode()).as(body).isEqualTo(400);
      assertThat(RawClient.JSON.readTree(response.body()).path("error").path("code").asInt())
          .isIn(-32700, -32600);
    }
    assertThat(ann.post("x".repeat(3 << 20)).statusCode()).isEqualTo(413);
    assertThat(ann.ask("no/such/method", Map.of()).path("error").path("code").asInt())
        .isEqualTo(-32601);
  }

  @Test
  void a_web_page_of_another_host_is_refused() throws Exception {
    RawClient ann = ann(host());
    HttpRequest.Builder request =
        ann.request()
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"));
    assertThat(status(ann, request.setHeader("Origin", "http://evil.example"))).isEqualTo(403);
    assertThat(status(ann, request.setHeader("Origin", "http://127.0.0.1:99"))).isEqualTo(200);
    assertThat(status(ann, request.setHeader("MCP-Protocol-Version", "1999-01-01"))).isEqualTo(400);
  }

  private static int status(RawClient client, HttpRequest.Builder request) throws Exception {
    return client.http().send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  @Test
  void progress_passes_through_from_the_server_behind() throws Exception {
    HttpHost host = gateway(new MemoryTransport(Fault.NONE));
    RawClient ann = ann(host);
    String body =
        ann.send(
                "tools/call",
                Map.of(
                    "name", "call_tool",
                    "arguments", Map.of("name", "mcp__fake__slow", "arguments", Map.of()),
                    "_meta", Map.of("progressToken", "p1")))
            .body();
    assertThat(body).containsSubsequence("\"progress\":1", "\"progress\":2", "at 3", "done");
    assertThat(body).contains("\"progressToken\":\"p1\"");
  }

  @Test
  void cancellation_passes_through_to_the_server_behind() throws Exception {
    MemoryTransport hanging = new MemoryTransport(Fault.HANG_ON_CALL);
    RawClient ann = ann(gateway(hanging));
    CompletableFuture<JsonNode> answer =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return RawClient.JSON.readTree(
                    ann.post(
                            "{\"jsonrpc\":\"2.0\",\"id\":\"c1\",\"method\":\"tools/call\",\"params\":"
                                + "{\"name\":\"call_tool\",\"arguments\":{\"name\":\"mcp__fake__echo\","
                                + "\"arguments\":{}}}}")
                        .body());
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    assertThat(hanging.server.called.await(60, TimeUnit.SECONDS)).isTrue();
    ann.post(
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"c1\"}}");
    assertThat(text(answer.get(60, TimeUnit.SECONDS))).contains("cancelled");
  }

  private HttpHost gateway(MemoryTransport transport) throws Exception {
    McpSources sources =
        McpSources.builder(registry)
            .servers(List.of(McpServerConfig.http("fake", "http://127.0.0.1:1/")))
            .transport("fake", () -> transport)
            .start();
    open.add(sources);
    return host(
        McpToolServer.of(registry, HttpHost.callers(), McpServerOptions.defaults(), sources),
        false);
  }

  @Test
  void a_search_says_which_servers_it_could_not_wait_for_to_those_who_may_know() throws Exception {
    ToolRegistry impatient =
        ToolRegistry.builder()
            .sourceWait(java.time.Duration.ofMillis(1))
            .authorizer(
                caller ->
                    caller.tenant().equals("acme")
                        ? ToolSelection.all()
                        : ToolSelection.sources("weather"))
            .build();
    open.add(impatient);
    impatient.put(
        ToolSource.named("weather")
            .exposure(Exposure.DEFERRED)
            .tool(tool("forecast", "Weather forecast of a city"), answer("sunny"))
            .build());
    McpSources sources =
        McpSources.builder(impatient)
            .connectTimeout(java.time.Duration.ofMinutes(5))
            .servers(List.of(McpServerConfig.http("secret", "http://127.0.0.1:1/")))
            .transport("secret", () -> new MemoryTransport(Fault.SILENT))
            .start();
    open.add(sources);
    McpServerOptions options = McpServerOptions.defaults();
    HttpHost host = host(McpToolServer.of(impatient, HttpHost.callers(), options, sources), false);
    JsonNode ann = ann(host).call("tool_search", Map.of("query", "weather"));
    assertThat(ann.toString()).contains("forecast", "not known yet: secret");
    JsonNode bob =
        new RawClient(host.url(), "rest/bob")
            .initialize()
            .call("tool_search", Map.of("query", "weather"));
    assertThat(bob.toString()).contains("forecast").doesNotContain("secret");
  }

  @Test
  void the_sdks_own_client_finds_and_calls() throws Exception {
    HttpHost host = host();
    try (McpSyncClient client =
        McpClient.sync(
                HttpClientStreamableHttpTransport.builder(host.url())
                    .endpoint(host.url())
                    .requestBuilder(HttpRequest.newBuilder().header("X-User", "acme/ann"))
                    .build())
            .build()) {
      assertThat(client.initialize().serverInfo().name()).isEqualTo("toolcrib");
      assertThat(client.listTools().tools())
          .extracting(McpSchema.Tool::name)
          .contains("tool_search", "open_ticket");
      McpSchema.CallToolResult result =
          client.callTool(
              McpSchema.CallToolRequest.builder("call_tool")
                  .arguments(
                      Map.of("name", "mcp__weather__forecast", "arguments", Map.of("city", "Ulm")))
                  .build());
      assertThat(((McpSchema.TextContent) result.content().get(0)).text()).isEqualTo("sunny");
    }
  }

  @Test
  void sixty_four_clients_with_different_rights_see_only_their_own() throws Exception {
    HttpHost host = host();
    CountDownLatch together = new CountDownLatch(1);
    List<CompletableFuture<List<String>>> clients = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      String user = (i % 2 == 0 ? "acme/u" : "rest/u") + i;
      CompletableFuture<List<String>> seen = new CompletableFuture<>();
      clients.add(seen);
      Thread thread =
          new Thread(
              () -> {
                try {
                  together.await();
                  RawClient client = new RawClient(host.url(), user).initialize();
                  List<String> all = new ArrayList<>(client.toolNames());
                  for (int round = 0; round < 5; round++) {
                    all.add(
                        client.call("tool_search", Map.of("query", "ticket weather")).toString());
                    all.add(client.call("open_ticket", Map.of("city", "Ulm")).toString());
                  }
                  seen.complete(all);
                } catch (Throwable e) {
                  seen.completeExceptionally(e);
                }
              });
      threads.add(thread);
      thread.start();
    }
    together.countDown();
    for (int i = 0; i < 64; i++) {
      String all = String.join("\n", clients.get(i).get(120, TimeUnit.SECONDS));
      if (i % 2 == 0) {
        assertThat(all).contains("open_ticket", "7788");
      } else {
        assertThat(all).doesNotContain("7788", "Opens a ticket").contains("forecast");
      }
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  void one_client_is_served_over_its_standard_streams() throws Exception {
    McpToolServer server =
        McpToolServer.of(
            registry,
            McpCallers.always(Caller.of("acme", "ann")),
            McpServerOptions.defaults().withSessionMode(true));
    String input =
        """
        {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}
        {"jsonrpc":"2.0","method":"notifications/initialized"}
        no json
        {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"tool_search","arguments":{"query":"weather forecast"}}}
        {"jsonrpc":"2.0","id":3,"method":"tools/list"}
        """;
    java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
    new McpStdioServer(
            server,
            new java.io.ByteArrayInputStream(
                input.getBytes(java.nio.charset.StandardCharsets.UTF_8)),
            out)
        .serve();
    List<String> lines = out.toString(java.nio.charset.StandardCharsets.UTF_8).lines().toList();
    assertThat(lines.get(0)).contains("2025-06-18");
    assertThat(lines.get(1)).contains("-32700");
    assertThat(lines.get(2)).contains("notifications/tools/list_changed");
    assertThat(lines.get(4)).contains("\"id\":3", "mcp__weather__forecast");
  }

  private static String text(JsonNode answer) {
    return answer.path("result").path("content").get(0).path("text").asString();
  }

  /** What a client is told unasked. */
  private static final class Events implements AutoCloseable {
    final List<String> seen = new java.util.concurrent.CopyOnWriteArrayList<>();
    private final InputStream stream;
    private final java.io.BufferedReader reader;

    Events(RawClient client) throws Exception {
      stream =
          client
              .http()
              .send(
                  client.request().header("Accept", "text/event-stream").GET().build(),
                  HttpResponse.BodyHandlers.ofInputStream())
              .body();
      reader = new java.io.BufferedReader(new java.io.InputStreamReader(stream));
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
