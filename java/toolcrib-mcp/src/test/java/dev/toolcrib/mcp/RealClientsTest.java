package dev.toolcrib.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.Caller;
import dev.toolcrib.Exposure;
import dev.toolcrib.Naming;
import dev.toolcrib.ToolDefinition;
import dev.toolcrib.ToolExecutor;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolResult;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients that others wrote, at our endpoint.
 *
 * <p>Of the conformance suite's scenarios for servers those are left out that need what the
 * endpoint does not offer: {@code logging-set-level} and {@code tools-call-with-logging} (no
 * logging), {@code completion-complete}, {@code resources-*} and {@code prompts-*} (tools only),
 * {@code tools-call-sampling}, {@code tools-call-elicitation} and {@code elicitation-*} (it asks
 * nothing of its clients), {@code server-sse-polling} (an answer's stream is not closed and
 * resumed).
 */
class RealClientsTest {

  private static final String PNG =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
  private static final String IMAGE =
      "{\"type\":\"image\",\"data\":\"" + PNG + "\",\"mimeType\":\"image/png\"}";

  private static NodeTools tools;

  @TempDir Path folder;

  private final ToolRegistry registry =
      ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build();
  private HttpHost host;

  @BeforeAll
  static void install() throws Exception {
    tools = NodeTools.install();
  }

  @AfterEach
  void close() throws Exception {
    if (host != null) {
      host.close();
    }
    registry.close();
  }

  private String serve(McpServerOptions options) throws Exception {
    McpToolServer server =
        McpToolServer.of(registry, McpCallers.always(Caller.of("acme", "ann")), options);
    registry.put(conformance(server.control()));
    registry.put(
        ToolSource.named("weather")
            .description("Weather of cities")
            .exposure(Exposure.DEFERRED)
            .tool(
                ToolDefinition.named("forecast")
                    .description("Weather forecast of a city")
                    .inputSchema(
                        "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}},"
                            + "\"required\":[\"city\"]}")
                    .build(),
                ToolExecutor.blocking(call -> ToolResult.text("sunny")))
            .build());
    host = new HttpHost(McpHttpServlet.builder(server).build());
    return host.url();
  }

  /** The tools that the conformance suite expects of a server. */
  private static ToolSource conformance(CallControl control) {
    return ToolSource.named("conformance")
        .naming(Naming.PLAIN)
        .exposure(Exposure.DIRECT)
        .tool(
            tool("test_simple_text"),
            answer(ToolResult.text("This is a simple text response for testing.")))
        .tool(tool("test_image_content"), content(IMAGE))
        .tool(
            tool("test_audio_content"),
            content("{\"type\":\"audio\",\"data\":\"UklGRg==\",\"mimeType\":\"audio/wav\"}"))
        .tool(
            tool("test_embedded_resource"),
            content(
                "{\"type\":\"resource\",\"resource\":{\"uri\":\"test://embedded-resource\","
                    + "\"mimeType\":\"text/plain\",\"text\":\"This is an embedded resource"
                    + " content.\"}}"))
        .tool(
            tool("test_multiple_content_types"),
            content(
                "{\"type\":\"text\",\"text\":\"Multiple content types test:\"},"
                    + IMAGE
                    + ",{\"type\":\"resource\",\"resource\":{\"uri\":\"test://mixed-content-resource\","
                    + "\"mimeType\":\"application/json\",\"text\":\"{}\"}}"))
        .tool(
            tool("test_error_handling"),
            answer(ToolResult.error("This tool intentionally returns an error for testing")))
        .tool(
            tool("test_tool_with_progress"),
            ToolExecutor.blocking(
                call -> {
                  var progress = control.progressOf(call.callId());
                  for (int done = 0; progress != null && done <= 100; done += 50) {
                    progress.accept(new McpProgress(done, 100.0, null));
                  }
                  return ToolResult.text("done");
                }))
        .tool(
            ToolDefinition.named("json_schema_2020_12_tool")
                .description("Tool with JSON Schema 2020-12 features")
                .inputSchema(
                    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\","
                        + "\"$defs\":{\"address\":{\"type\":\"object\",\"properties\":{\"street\":"
                        + "{\"type\":\"string\"},\"city\":{\"type\":\"string\"}}}},\"properties\":"
                        + "{\"name\":{\"type\":\"string\"},\"address\":{\"$ref\":\"#/$defs/address\"}},"
                        + "\"additionalProperties\":false}")
                .build(),
            answer(ToolResult.text("ok")))
        .build();
  }

  private static ToolDefinition tool(String name) {
    return ToolDefinition.named(name).description("Tests " + name).build();
  }

  private static ToolExecutor answer(ToolResult result) {
    return ToolExecutor.blocking(call -> result);
  }

  private static ToolExecutor content(String blocks) {
    return answer(new ToolResult("[content]", null, false, "[" + blocks + "]"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "server-initialize",
        "ping",
        "tools-list",
        "tools-call-simple-text",
        "tools-call-image",
        "tools-call-audio",
        "tools-call-embedded-resource",
        "tools-call-mixed-content",
        "tools-call-error",
        "tools-call-with-progress",
        "json-schema-2020-12",
        "server-sse-multiple-streams",
        "dns-rebinding-protection"
      })
  void the_conformance_suite_passes(String scenario) throws Exception {
    NodeTools.Run run =
        tools.node(
            folder,
            Map.of(),
            120,
            tools.modules.resolve("@modelcontextprotocol/conformance/dist/index.js").toString(),
            "server",
            "--url",
            serve(McpServerOptions.defaults()),
            "--scenario",
            scenario);
    assertThat(run.output()).doesNotContain("WARNING");
    assertThat(run.status()).as(run.output()).isZero();
  }

  @Test
  void the_inspectors_command_line_lists_and_calls() throws Exception {
    String url = serve(McpServerOptions.defaults());
    assertThat(inspect(url, "--method", "tools/list"))
        .contains("\"tool_search\"", "\"test_simple_text\"");
    assertThat(
            inspect(
                url,
                "--method",
                "tools/call",
                "--tool-name",
                "tool_search",
                "--tool-arg",
                "query=weather forecast"))
        .contains("mcp__weather__forecast");
  }

  private String inspect(String url, String... arguments) throws Exception {
    List<String> all =
        new java.util.ArrayList<>(
            List.of(
                tools
                    .modules
                    .resolve("@modelcontextprotocol/inspector/clients/launcher/build/index.js")
                    .toString(),
                "--cli",
                url,
                "--transport",
                "http"));
    all.addAll(List.of(arguments));
    NodeTools.Run run = tools.node(folder, Map.of(), 120, all.toArray(String[]::new));
    assertThat(run.status()).as(run.output()).isZero();
    return run.output();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_client_on_the_typescript_sdk_finds_and_calls(boolean sessionMode) throws Exception {
    String url = serve(McpServerOptions.defaults().withSessionMode(sessionMode));
    Path script = tools.modules.resolveSibling("client.mjs");
    try (var in = RealClientsTest.class.getResourceAsStream("/npm/client.mjs")) {
      Files.write(script, in.readAllBytes());
    }
    NodeTools.Run run = tools.node(folder, Map.of(), 120, script.toString(), url);
    assertThat(run.status()).as(run.output()).isZero();
    assertThat(run.output())
        .contains("server toolcrib", "called [{\"type\":\"text\",\"text\":\"sunny\"}]");
    if (sessionMode) {
      assertThat(run.output()).containsPattern("list changed .*mcp__weather__forecast");
    }
  }

  @Test
  void pi_searches_calls_and_finishes_its_task() throws Exception {
    String url = serve(McpServerOptions.defaults());
    try (ScriptedModel model =
        new ScriptedModel(
            "mcp__crib__tool_search {\"query\":\"weather forecast of a city\"}",
            "mcp__crib__call_tool"
                + " {\"name\":\"mcp__weather__forecast\",\"arguments\":{\"city\":\"Ulm\"}}",
            "It will be fine in Ulm.")) {
      Path agent = Files.createDirectories(folder.resolve("agent"));
      Files.writeString(
          agent.resolve("models.json"),
          """
          {"providers": {"scripted": {"baseUrl": "%s", "api": "openai-completions",
            "apiKey": "none", "models": [{"id": "scripted"}]}}}
          """
              .formatted(model.url()));
      Files.writeString(
          agent.resolve("mcp.json"),
          """
          {"mcpServers": {"crib": {"url": "%s", "exposure": "direct"}}}
          """
              .formatted(url));
      NodeTools.Run run =
          tools.node(
              folder,
              Map.of(
                  "PI_CODING_AGENT_DIR",
                  agent.toString(),
                  "PI_OFFLINE",
                  "1",
                  "HOME",
                  folder.toString()),
              180,
              tools
                  .modules
                  .resolve("@earendil-works/pi-coding-agent/dist/bundle/cli.js")
                  .toString(),
              "--print",
              "--no-session",
              "--provider",
              "scripted",
              "--model",
              "scripted",
              "How will the weather be in Ulm?");
      assertThat(run.output()).as(run.toString()).contains("It will be fine in Ulm.");
      assertThat(model.requests).hasSize(3);
      assertThat(model.requests.get(0).path("tools").toString())
          .contains("mcp__crib__tool_search", "mcp__crib__call_tool")
          .doesNotContain("mcp__weather__forecast");
      assertThat(model.requests.get(1).path("messages").toString())
          .contains("mcp__weather__forecast");
      assertThat(model.requests.get(2).path("messages").toString()).contains("sunny");
    }
  }
}
