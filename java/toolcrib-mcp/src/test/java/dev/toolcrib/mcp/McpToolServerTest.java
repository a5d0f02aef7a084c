package dev.toolcrib.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.Caller;
import dev.toolcrib.Naming;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSource;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Our server, asked over HTTP by clients that are right and by some that are not. */
class McpToolServerTest extends McpServerTest {

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
    RawClient ann = ann(host(McpServerOptions.defaults().withWithheld(Set.of("call_tool"))));
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
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new McpStdioServer(
            server, new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), out)
        .serve();
    List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
    assertThat(lines.get(0)).contains("2025-06-18");
    assertThat(lines.get(1)).contains("-32700");
    assertThat(lines.get(2)).contains("notifications/tools/list_changed");
    assertThat(lines.get(4)).contains("\"id\":3", "mcp__weather__forecast");
  }
}
