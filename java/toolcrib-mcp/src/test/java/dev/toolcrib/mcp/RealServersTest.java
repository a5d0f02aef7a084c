package dev.toolcrib.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.CallRequest;
import dev.toolcrib.CallResult;
import dev.toolcrib.ToolSession;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reference servers as sources: searched, activated, called, killed, changed while in use. */
class RealServersTest extends McpTest {

  private static NodeTools tools;

  @TempDir Path folder;
  private Process http;

  @BeforeAll
  static void install() throws Exception {
    tools = NodeTools.install();
  }

  @AfterEach
  void endServer() {
    if (http != null) {
      http.destroyForcibly();
    }
  }

  private McpServerConfig everything() {
    return tools.server(
        "everything", "@modelcontextprotocol/server-everything", "dist/index.js", "stdio");
  }

  private McpServerConfig filesystem() {
    return tools.server(
        "filesystem",
        "@modelcontextprotocol/server-filesystem",
        "dist/index.js",
        folder.toString());
  }

  @Test
  void four_reference_servers_are_searched_activated_and_called() throws Exception {
    Files.writeString(folder.resolve("note.txt"), "crib notes");
    McpServerConfig memory =
        tools.server("memory", "@modelcontextprotocol/server-memory", "dist/index.js");
    memory =
        McpServerConfig.of(
            "memory",
            new McpServerConfig.Stdio(
                ((McpServerConfig.Stdio) memory.endpoint()).command(),
                ((McpServerConfig.Stdio) memory.endpoint()).arguments(),
                Map.of("MEMORY_FILE_PATH", folder.resolve("memory.jsonl").toString()),
                null));
    McpSources sources =
        start(
            builder()
                .servers(
                    List.of(
                        everything(),
                        filesystem(),
                        memory,
                        tools.server(
                            "thinking",
                            "@modelcontextprotocol/server-sequential-thinking",
                            "dist/index.js"))));
    assertThat(sources.await(LONG)).isEmpty();
    assertThat(sources.status())
        .allSatisfy(
            s -> assertThat(s.state()).as(s.toString()).isEqualTo(McpServerState.CONNECTED));
    try (ToolSession session = registry.session(ANN).open()) {
      assertThat(session.search("read the contents of a text file").addedToolNames())
          .contains("mcp__filesystem__read_text_file");
      assertThat(
              session
                  .call(
                      CallRequest.of(
                          "mcp__filesystem__read_text_file",
                          "{\"path\":\"" + folder.toRealPath().resolve("note.txt") + "\"}"))
                  .get()
                  .text())
          .isEqualTo("crib notes");
      session.search("create entities in the knowledge graph");
      CallResult created =
          session
              .call(
                  CallRequest.of(
                      "mcp__memory__create_entities",
                      "{\"entities\":[{\"name\":\"crib\",\"entityType\":\"room\",\"observations\":[\"has"
                          + " tools\"]}]}"))
              .get();
      assertThat(created).isInstanceOf(CallResult.Completed.class);
      assertThat(created.text()).contains("crib");
      assertThat(((CallResult.Completed) created).payload().structuredContent()).contains("crib");
    }
    assertThat(
            call(
                    "mcp__thinking__sequentialthinking",
                    "{\"thought\":\"t\",\"nextThoughtNeeded\":false,\"thoughtNumber\":1,\"totalThoughts\":1}")
                .text())
        .contains("thoughtNumber");
    assertThat(call("mcp__everything__echo", "{\"message\":\"hi\"}").text()).contains("hi");
  }

  @Test
  void every_kind_of_content_becomes_a_text_and_stays_as_it_was() throws Exception {
    McpSources sources = start(builder().servers(List.of(everything())));
    assertThat(sources.await(LONG)).isEmpty();
    String image = tools().stream().filter(t -> t.contains("image")).findFirst().orElseThrow();
    CallResult.Completed picture = (CallResult.Completed) call(image, "{}");
    assertThat(picture.text()).contains("[image: image/png");
    assertThat(picture.payload().content()).contains("\"type\":\"image\"");
  }

  @Test
  void progress_of_a_long_operation_is_told() throws Exception {
    McpSources sources = start(builder().servers(List.of(everything())));
    assertThat(sources.await(LONG)).isEmpty();
    String slow = tools().stream().filter(t -> t.contains("long")).findFirst().orElseThrow();
    List<McpProgress> seen = new java.util.concurrent.CopyOnWriteArrayList<>();
    Runnable end = sources.control().follow("c", seen::add);
    try (ToolSession session = registry.session(ANN).open()) {
      assertThat(
              session
                  .call(
                      CallRequest.of(slow, "{\"duration\":1,\"steps\":3}")
                          .withCallId("c")
                          .allowingInactive())
                  .get())
          .isInstanceOf(CallResult.Completed.class);
    }
    end.run();
    assertThat(seen).isNotEmpty();
  }

  @Test
  void a_killed_server_is_started_again_by_itself() throws Exception {
    McpSources sources = start(builder().servers(List.of(filesystem())));
    assertThat(sources.await(LONG)).isEmpty();
    List<String> before = tools();
    List<ProcessHandle> children =
        ProcessHandle.current()
            .children()
            .filter(c -> c.info().command().orElse("").contains("node"))
            .toList();
    assertThat(children).hasSize(1);
    assertThat(children.get(0).destroyForcibly()).isTrue();
    children.get(0).onExit().get();
    assertThat(tools()).isEqualTo(before);
    eventually(
        () -> {
          try {
            return call("mcp__filesystem__list_allowed_directories", "{}")
                instanceof CallResult.Completed;
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
    assertThat(status(sources, "filesystem").state()).isEqualTo(McpServerState.CONNECTED);
  }

  @Test
  void a_server_over_streamable_http_is_a_source_goes_away_and_comes_back() throws Exception {
    int port = freePort();
    http = startHttp(port);
    McpSources sources =
        start(
            builder()
                .servers(
                    List.of(McpServerConfig.http("web", "http://127.0.0.1:" + port + "/mcp"))));
    eventually(() -> status(sources, "web").state() == McpServerState.CONNECTED);
    assertThat(call("mcp__web__echo", "{\"message\":\"over http\"}").text()).contains("over http");
    http.destroyForcibly().waitFor();
    CallResult away = call("mcp__web__echo", "{\"message\":\"x\"}");
    assertThat(away.isError()).isTrue();
    assertThat(tools()).contains("mcp__web__echo");
    http = startHttp(port);
    eventually(
        () -> {
          try {
            return call("mcp__web__echo", "{\"message\":\"again\"}").text().contains("again");
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static Process startHttp(int port) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
                tools.node,
                tools
                    .modules
                    .resolve("@modelcontextprotocol/server-everything/dist/index.js")
                    .toString(),
                "streamableHttp")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("PORT", String.valueOf(port));
    return builder.start();
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  @Test
  void a_changed_configuration_replaces_the_tools_while_they_are_in_use() throws Exception {
    McpSources sources = start(builder().servers(List.of(everything())));
    assertThat(sources.await(LONG)).isEmpty();
    int all = tools().size();
    try (ToolSession session = registry.session(ANN).open()) {
      session.activate(List.of("mcp__everything__echo"), null);
      sources.put(
          everything()
              .withExposure(
                  dev.toolcrib.Exposure.HIDDEN, Map.of("echo", dev.toolcrib.Exposure.DEFERRED)));
      eventually(() -> tools().size() == 1);
      assertThat(
              session
                  .call(CallRequest.of("mcp__everything__echo", "{\"message\":\"still here\"}"))
                  .get()
                  .text())
          .contains("still here");
    }
    assertThat(all).isGreaterThan(3);
  }
}
