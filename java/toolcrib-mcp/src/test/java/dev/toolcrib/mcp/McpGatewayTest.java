package dev.toolcrib.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.Exposure;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSource;
import dev.toolcrib.mcp.FakeServer.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Our server before another: what passes through between the two. */
class McpGatewayTest extends McpServerTest {

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

  @Test
  void a_search_says_which_servers_it_could_not_wait_for_to_those_who_may_know() throws Exception {
    ToolRegistry impatient =
        ToolRegistry.builder()
            .sourceWait(Duration.ofMillis(1))
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
            .connectTimeout(Duration.ofMinutes(5))
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
}
