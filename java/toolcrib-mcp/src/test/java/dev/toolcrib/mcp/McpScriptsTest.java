package dev.toolcrib.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.Naming;
import dev.toolcrib.ToolDefinition;
import dev.toolcrib.ToolExecutor;
import dev.toolcrib.ToolResult;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSource;
import dev.toolcrib.mcp.FakeServer.Fault;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Scripts that clients run through {@code codemode}. */
class McpScriptsTest extends McpServerTest {

  private static final McpServerOptions SCRIPTS = McpServerOptions.defaults().withCodemode(true);

  private final CountDownLatch waits = new CountDownLatch(1);

  @BeforeEach
  void shop() {
    registry.put(
        ToolSource.named("shop")
            .naming(Naming.PLAIN)
            .tool(
                tool("get_order", "Gets an order"),
                ToolExecutor.blocking(call -> ToolResult.json(call.arguments())))
            .tool(
                ToolDefinition.named("fail").description("Fails").build(),
                ToolExecutor.blocking(call -> ToolResult.error("out of stock")))
            .tool(
                ToolDefinition.named("leave").description("Gives up the right to it all").build(),
                ToolExecutor.blocking(
                    call -> {
                      rights = caller -> ToolSelection.names("leave");
                      return ToolResult.text("left");
                    }))
            .tool(
                ToolDefinition.named("never").description("Never answers").build(),
                call -> {
                  waits.countDown();
                  return new CompletableFuture<>();
                })
            .build());
  }

  private HttpHost host(String mode) throws Exception {
    McpServerOptions options = SCRIPTS.withSessionMode(mode.equals("session mode"));
    return host(McpToolServer.of(registry, HttpHost.callers(), options), mode.equals("stateless"));
  }

  private static JsonNode run(RawClient client, String code) throws Exception {
    return client.call("codemode", Map.of("code", code));
  }

  private static boolean failed(JsonNode answer) {
    return answer.path("result").path("isError").asBoolean();
  }

  @Test
  void scripts_are_offered_where_that_is_wanted_to_who_has_tools_for_them() throws Exception {
    RawClient without = ann(host());
    assertThat(without.toolNames()).doesNotContain("codemode");
    for (String name : List.of("codemode", "functions.codemode", " codemode")) {
      JsonNode answer = without.call(name, Map.of("code", "return 1"));
      assertThat(answer.has("error") || failed(answer)).as(name).isTrue();
    }
    HttpHost host = host(SCRIPTS);
    RawClient ann = ann(host);
    assertThat(ann.toolNames())
        .startsWith("tool_search", "describe_tool", "call_tool", "codemode", "open_ticket");
    RawClient bob = new RawClient(host.url(), "rest/bob").initialize();
    assertThat(bob.toolNames()).doesNotContain("codemode");
    assertThat(failed(run(bob, "return 1"))).isTrue();
    HttpHost withheld = host(SCRIPTS.withWithheld(java.util.Set.of("codemode")));
    assertThat(ann(withheld).toolNames()).doesNotContain("codemode");
  }

  @ParameterizedTest
  @ValueSource(strings = {"stateless", "stateful", "session mode"})
  void a_script_finds_and_calls_what_its_caller_may_use(String mode) throws Exception {
    RawClient ann = new RawClient(host(mode).url(), "acme/ann").initialize();
    JsonNode declared =
        ann.ask("tools/list", Map.of())
            .path("result")
            .path("tools")
            .valueStream()
            .filter(tool -> tool.path("name").asString().equals("codemode"))
            .findFirst()
            .orElseThrow();
    assertThat(declared.path("description").asString())
        .contains("await searchTools(", "await describeTool(", "await tools.NAME(");
    assertThat(declared.path("inputSchema").path("required").toString()).isEqualTo("[\"code\"]");
    JsonNode answer =
        run(
            ann,
            """
            const [found] = await searchTools('get an order', {limit: 1});
            const orders = await Promise.all(['A', 'B'].map(city => tools[found.name]({city})));
            const weather = await tools.mcp__weather__forecast({city: 'Ulm'});
            return [orders.map(o => o.structuredContent.city).join(), weather.content[0].text];
            """);
    assertThat(text(answer)).contains("A,B", "sunny");
    assertThat(failed(answer)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"stateless", "stateful", "session mode"})
  void what_a_script_stores_is_kept_for_its_client_where_clients_are(String mode) throws Exception {
    HttpHost host = host(mode);
    RawClient ann = new RawClient(host.url(), "acme/ann").initialize();
    boolean keeps = !mode.equals("stateless");
    assertThat(failed(run(ann, "store('seen', 42)"))).isFalse();
    assertThat(text(run(ann, "return 'it is ' + load('seen')")))
        .contains(keeps ? "it is 42" : "it is undefined");
    RawClient other = new RawClient(host.url(), "acme/ann").initialize();
    assertThat(text(run(other, "return 'it is ' + load('seen')"))).contains("it is undefined");
    String listed = ann.ask("tools/list", Map.of()).toString();
    assertThat(listed.contains("Nothing is kept between programs here")).isNotEqualTo(keeps);
  }

  @Test
  void what_is_wrong_is_an_error_that_the_model_reads() throws Exception {
    RawClient ann = ann(host(SCRIPTS));
    JsonNode broken = run(ann, "return 1 +");
    assertThat(failed(broken)).isTrue();
    JsonNode caught =
        run(ann, "try { await tools.fail({}) } catch (e) { return [e.kind, e.message].join() }");
    assertThat(text(caught)).contains("failed", "out of stock");
    JsonNode uncaught = run(ann, "text('so far');\nawait tools.fail({})");
    assertThat(failed(uncaught)).isTrue();
    assertThat(text(uncaught)).contains("so far", "fail");
    JsonNode tooMany = run(ann, "for (let i = 0; i < 65; i++) await tools.get_order({city: 'A'})");
    assertThat(failed(tooMany)).isTrue();
    assertThat(text(tooMany)).contains("limit");
    assertThat(failed(ann.call("codemode", Map.of()))).isTrue();
  }

  @Test
  void a_right_that_is_withdrawn_within_a_script_refuses_its_next_call() throws Exception {
    JsonNode calls = outcomes(ann(host(SCRIPTS)), "get_order", "leave", "get_order");
    assertThat(calls.get(0).asString()).isEqualTo("done");
    assertThat(calls.get(1).asString()).isEqualTo("done");
    assertThat(calls.get(2).asString()).startsWith("not_found");
  }

  @Test
  void unknown_and_forbidden_tools_answer_a_script_alike() throws Exception {
    rights = caller -> ToolSelection.names("get_order");
    JsonNode calls = outcomes(ann(host(SCRIPTS)), "open_ticket", "fail", "eat_biscuit");
    assertThat(calls.get(0).asString()).contains("You have no tool named");
    assertThat(calls.get(0)).isEqualTo(calls.get(2));
    assertThat(calls.get(1)).isEqualTo(calls.get(2));
  }

  /** What comes of calls of one script, without the names that it said itself. */
  private static JsonNode outcomes(RawClient client, String... tools) throws Exception {
    String code =
        """
        const calls = [];
        for (const name of %s)
          try { await tools[name]({city: 'A'}); calls.push('done') }
          catch (e) { calls.push(e.kind + ' ' + e.message.replace(name, 'it')) }
        return JSON.stringify(calls);
        """
            .formatted(RawClient.JSON.writeValueAsString(tools));
    String told = text(run(client, code));
    return RawClient.JSON.readTree(told.substring(told.indexOf('['), told.lastIndexOf(']') + 1));
  }

  @Test
  void the_calls_of_a_script_are_its_progress() throws Exception {
    RawClient ann = ann(host(SCRIPTS));
    String body =
        ann.send(
                "tools/call",
                Map.of(
                    "name", "codemode",
                    "arguments",
                        Map.of(
                            "code",
                            "await tools.get_order({city: 'A'});"
                                + " try { await tools.fail({}) } catch (e) {} return 'end'"),
                    "_meta", Map.of("progressToken", "p1")))
            .body();
    assertThat(body)
        .containsSubsequence(
            "\"progressToken\":\"p1\"",
            "\"progress\":1",
            "get_order: done",
            "\"progress\":2",
            "fail: failed",
            "end");
  }

  @ParameterizedTest
  @ValueSource(strings = {"stateful", "session mode"})
  void a_cancelled_script_ends_and_so_do_its_calls_of_servers_behind(String mode) throws Exception {
    MemoryTransport hanging = new MemoryTransport(Fault.HANG_ON_CALL);
    RawClient ann = ann(gateway(hanging, SCRIPTS.withSessionMode(mode.equals("session mode"))));
    CompletableFuture<JsonNode> answer =
        start(ann, "c1", "text('so far'); await tools.mcp__fake__echo({})");
    assertThat(hanging.server.called.await(60, TimeUnit.SECONDS)).isTrue();
    CompletableFuture<JsonNode> other = start(ann, "c2", "await tools.never({})");
    assertThat(waits.await(60, TimeUnit.SECONDS)).isTrue();
    cancel(ann, "c1");
    JsonNode ended = answer.get(60, TimeUnit.SECONDS);
    assertThat(failed(ended)).isTrue();
    assertThat(text(ended)).contains("so far", "cancelled");
    McpTest.eventually(() -> hanging.server.sawCancellation());
    assertThat(other).isNotDone();
    cancel(ann, "c2");
    assertThat(text(other.get(60, TimeUnit.SECONDS))).contains("cancelled");
    assertThat(text(run(ann, "return 'goes on'"))).contains("goes on");
  }

  @Test
  void a_call_that_waited_for_its_server_could_not_be_cancelled() throws Exception {
    RawClient ann = ann(gateway(new MemoryTransport(Fault.SILENT), SCRIPTS));
    CompletableFuture<JsonNode> answer = start(ann, "c1", "return 'ran'");
    // The notification may come before the request.
    while (!answer.isDone()) {
      cancel(ann, "c1");
    }
    assertThat(text(answer.get(60, TimeUnit.SECONDS))).contains("cancelled").doesNotContain("ran");
  }

  private static CompletableFuture<JsonNode> start(RawClient client, String id, String code) {
    String request =
        RawClient.JSON.writeValueAsString(
            Map.of(
                "jsonrpc",
                "2.0",
                "id",
                id,
                "method",
                "tools/call",
                "params",
                Map.of("name", "codemode", "arguments", Map.of("code", code))));
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return RawClient.JSON.readTree(client.post(request).body());
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static void cancel(RawClient client, String id) throws Exception {
    client.post(
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"%s\"}}"
            .formatted(id));
  }

  @Test
  void the_sdks_own_client_runs_a_script() throws Exception {
    HttpHost host = host(SCRIPTS);
    List<String> progress = new ArrayList<>();
    try (McpSyncClient client =
        McpClient.sync(
                HttpClientStreamableHttpTransport.builder(host.url())
                    .endpoint(host.url())
                    .requestBuilder(HttpRequest.newBuilder().header("X-User", "acme/ann"))
                    .build())
            .progressConsumer(told -> progress.add(told.message()))
            .build()) {
      client.initialize();
      assertThat(client.listTools().tools()).extracting(McpSchema.Tool::name).contains("codemode");
      McpSchema.CallToolResult result =
          client.callTool(
              McpSchema.CallToolRequest.builder("codemode")
                  .arguments(
                      Map.of(
                          "code",
                          "return (await tools.get_order({city: 'Ulm'})).structuredContent"))
                  .progressToken("p")
                  .build());
      assertThat(((McpSchema.TextContent) result.content().get(0)).text()).contains("Ulm");
      assertThat(result.isError()).isNotEqualTo(true);
    }
    assertThat(progress).containsExactly("get_order: done");
  }
}
