package dev.toolcrib.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.CallRequest;
import dev.toolcrib.CallResult;
import dev.toolcrib.Exposure;
import dev.toolcrib.RenderedTools;
import dev.toolcrib.Target;
import dev.toolcrib.ToolSession;
import dev.toolcrib.mcp.FakeServer.Fault;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What sessions wait for when servers are being connected, and what they say of the others. */
class McpWaitsTest extends McpTest {

  private static final CallRequest SEARCH =
      CallRequest.of("tool_search", "{\"query\":\"echo a text\"}");

  private McpSources start(McpServerConfig config, Fault fault) {
    return start(
        builder()
            .servers(List.of(config))
            .transport(config.name(), () -> new MemoryTransport(fault)));
  }

  private static McpServerConfig fake(String name) {
    return McpServerConfig.http(name, "http://127.0.0.1:1/");
  }

  private static String text(CompletableFuture<CallResult> called) throws Exception {
    return called.get(60, TimeUnit.SECONDS).text();
  }

  @Test
  void a_session_searched_before_its_servers_had_said_what_they_have() {
    start(fake("fake").withExposure(Exposure.DEFERRED, Map.of()), Fault.NONE);
    try (ToolSession session = registry.session(ANN).open()) {
      assertThat(session.search("echo").addedToolNames()).contains("mcp__fake__echo");
    }
  }

  @Test
  void a_session_declared_its_direct_tools_only_after_the_first_request() {
    start(fake("fake").withExposure(Exposure.HIDDEN, Map.of("echo", Exposure.DIRECT)), Fault.NONE);
    try (ToolSession session = registry.session(ANN).open()) {
      RenderedTools rendered = session.render(Target.OPENAI_CHAT);
      assertThat(rendered.toolNames()).contains("mcp__fake__echo");
      assertThat(rendered.notReady()).isEmpty();
    }
  }

  @Test
  void each_search_waited_for_a_server_that_had_failed_once() throws Exception {
    McpSources sources = start(fake("broken"), Fault.LIST_IS_NO_LIST);
    assertThat(sources.await(LONG)).isEmpty();
    try (ToolSession session = registry.session(ANN).open()) {
      assertThat(session.render(Target.OPENAI_CHAT).toolNames()).containsExactly("tool_search");
      // The registry may hear of the failure a moment after those who waited for it here.
      text(session.call(SEARCH));
      CompletableFuture<CallResult> searched = session.call(SEARCH);
      assertThat(searched).isDone();
      assertThat(text(searched)).contains("Not searched", "broken");
      CompletableFuture<CallResult> called =
          session.call(CallRequest.of("mcp__broken__echo", "{}"));
      assertThat(called).isDone();
      assertThat(text(called)).contains("tools of broken are not known yet");
    }
  }

  @Test
  void a_server_that_is_switched_off_or_removed_is_not_expected() {
    McpSources sources = start(fake("silent"), Fault.SILENT);
    assertThat(registry.expected(ANN)).containsExactly("silent");
    sources.put(fake("silent").withEnabled(false));
    assertThat(registry.expected(ANN)).isEmpty();
    sources.put(fake("silent"));
    assertThat(registry.expected(ANN)).containsExactly("silent");
    sources.remove("silent");
    eventually(() -> registry.expected(ANN).isEmpty());
    try (ToolSession session = registry.session(ANN).open()) {
      assertThat(session.search("echo").notReady()).isEmpty();
      assertThat(session.render(Target.OPENAI_CHAT).toolNames()).isEmpty();
    }
  }
}
