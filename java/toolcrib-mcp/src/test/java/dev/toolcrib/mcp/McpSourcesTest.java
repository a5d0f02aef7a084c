package dev.toolcrib.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.CallRequest;
import dev.toolcrib.CallResult;
import dev.toolcrib.Exposure;
import dev.toolcrib.ToolSession;
import dev.toolcrib.mcp.FakeServer.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Servers that behave, and those that go and come. */
class McpSourcesTest extends McpTest {

  private final MemoryTransport fake = new MemoryTransport(Fault.NONE);

  private McpSources fake() {
    McpSources sources =
        start(
            builder()
                .servers(List.of(McpServerConfig.http("fake", "http://127.0.0.1:1/")))
                .transport("fake", () -> fake));
    assertThat(sources.await(LONG)).isEmpty();
    return sources;
  }

  @Test
  void a_program_is_started_and_its_tools_are_found_and_called() throws Exception {
    McpSources sources = start(builder().servers(List.of(program("echo-box", Fault.NONE))));
    assertThat(sources.await(LONG)).isEmpty();
    assertThat(status(sources, "echo-box").state()).isEqualTo(McpServerState.CONNECTED);
    assertThat(tools())
        .containsExactly("mcp__echo-box__echo", "mcp__echo-box__env", "mcp__echo-box__slow");
    try (ToolSession session = registry.session(ANN).open()) {
      assertThat(session.search("echo").addedToolNames()).contains("mcp__echo-box__echo");
      CallResult result =
          session.call(CallRequest.of("mcp__echo-box__echo", "{\"text\":\"hello\"}")).get();
      assertThat(result).isInstanceOf(CallResult.Completed.class);
      assertThat(result.text()).isEqualTo("hello");
    }
  }

  @Test
  void a_program_sees_a_minimal_environment_and_what_its_entry_lists() throws Exception {
    McpServerConfig plain = program("fake", Fault.NONE);
    McpServerConfig.Stdio endpoint = (McpServerConfig.Stdio) plain.endpoint();
    McpServerConfig config =
        McpServerConfig.of(
            "fake",
            new McpServerConfig.Stdio(
                endpoint.command(), endpoint.arguments(), Map.of("MY_TOKEN", "a-$SECRET"), null));
    McpSources sources =
        start(
            builder()
                .servers(List.of(config))
                .environment(name -> name.equals("SECRET") ? "b" : null));
    assertThat(sources.await(LONG)).isEmpty();
    List<String> variables = List.of(call("mcp__fake__env", "{}").text().split(","));
    assertThat(variables).contains("MY_TOKEN", "PATH").doesNotContain("SECRET");
    assertThat(variables).hasSizeLessThan(30);
  }

  @Test
  void the_description_is_the_configured_one_or_the_first_line_of_the_instructions() {
    fake();
    assertThat(registry.sources().get(0).description()).isEqualTo("A server for tests");
    assertThat(registry.sources().get(0).instructions()).contains("second line");
  }

  @Test
  void many_notifications_are_one_new_version() {
    fake();
    long before = registry.info().version();
    int lists = fake.server.lists.get();
    fake.server.tools("echo", "other");
    for (int i = 0; i < 500; i++) {
      fake.server.tell("notifications/tools/list_changed");
    }
    eventually(() -> tools().contains("mcp__fake__other"));
    assertThat(tools()).containsExactly("mcp__fake__echo", "mcp__fake__other");
    // What was said while the tools were being listed is listed once more, and is the same.
    assertThat(registry.info().version()).isEqualTo(before + 1);
    assertThat(fake.server.lists.get() - lists).isLessThan(20);
  }

  @Test
  void a_server_that_vanishes_leaves_its_tools_and_comes_back() throws Exception {
    List<MemoryTransport> transports = new ArrayList<>();
    McpSources sources =
        start(
            builder()
                .servers(List.of(McpServerConfig.http("fake", "http://127.0.0.1:1/")))
                .callWait(Duration.ofMillis(1))
                .transport(
                    "fake",
                    () -> {
                      MemoryTransport next =
                          new MemoryTransport(
                              transports.size() == 1 ? Fault.UNKNOWN_REVISION : Fault.NONE);
                      transports.add(next);
                      return next;
                    }));
    assertThat(sources.await(LONG)).isEmpty();
    long version = registry.info().version();
    transports.get(0).vanish();
    eventually(
        () ->
            transports.size() == 2 && status(sources, "fake").state() != McpServerState.CONNECTING);
    assertThat(tools()).hasSize(3);
    CallResult away = call("mcp__fake__echo", "{\"text\":\"x\"}");
    if (away instanceof CallResult.Unavailable) {
      assertThat(away.text()).contains("fake", "not connected");
    }
    eventually(() -> status(sources, "fake").state() == McpServerState.CONNECTED);
    assertThat(call("mcp__fake__echo", "{\"text\":\"back\"}").text()).isEqualTo("back");
    assertThat(registry.info().version()).isEqualTo(version);
  }

  @Test
  void a_killed_program_is_started_again_and_says_meanwhile_that_it_is_away() throws Exception {
    McpSources sources = start(builder().servers(List.of(program("fake", Fault.CRASH_ON_CALL))));
    assertThat(sources.await(LONG)).isEmpty();
    CallResult crashed = call("mcp__fake__echo", "{\"text\":\"x\"}");
    assertThat(crashed).isInstanceOf(CallResult.Failed.class);
    assertThat(crashed.text()).contains("Whether it had an effect is not known");
    assertThat(tools()).hasSize(3);
    eventually(() -> status(sources, "fake").state() == McpServerState.CONNECTED);
  }

  @Test
  void progress_reaches_who_follows_the_call() throws Exception {
    McpSources sources = fake();
    List<McpProgress> seen = new ArrayList<>();
    Runnable end = sources.control().follow("call-1", seen::add);
    try (ToolSession session = registry.session(ANN).open()) {
      CallResult result =
          session
              .call(CallRequest.of("mcp__fake__slow", "{}").withCallId("call-1").allowingInactive())
              .get();
      assertThat(result.text()).isEqualTo("done");
    }
    end.run();
    assertThat(seen).extracting(McpProgress::message).containsExactly("at 1", "at 2", "at 3");
  }

  @Test
  void a_cancelled_call_is_cancelled_at_the_server() throws Exception {
    MemoryTransport hanging = new MemoryTransport(Fault.HANG_ON_CALL);
    McpSources sources =
        start(
            builder()
                .servers(List.of(McpServerConfig.http("fake", "http://127.0.0.1:1/")))
                .transport("fake", () -> hanging));
    assertThat(sources.await(LONG)).isEmpty();
    Runnable end = sources.control().follow("call-1", progress -> {});
    try (ToolSession session = registry.session(ANN).open()) {
      CompletableFuture<CallResult> result =
          session.call(
              CallRequest.of("mcp__fake__echo", "{}").withCallId("call-1").allowingInactive());
      assertThat(hanging.server.called.await(60, TimeUnit.SECONDS)).isTrue();
      sources.control().cancel("call-1");
      assertThat(result.get(60, TimeUnit.SECONDS).text()).contains("cancelled");
    }
    end.run();
    eventually(() -> hanging.server.sawCancellation());
  }

  @Test
  void a_call_without_an_answer_is_given_up_and_cancelled() throws Exception {
    MemoryTransport hanging = new MemoryTransport(Fault.HANG_ON_CALL);
    McpServerConfig config =
        McpServerConfig.http("fake", "http://127.0.0.1:1/").withTimeout(Duration.ofMillis(50));
    McpSources sources = start(builder().servers(List.of(config)).transport("fake", () -> hanging));
    assertThat(sources.await(LONG)).isEmpty();
    CallResult result = call("mcp__fake__echo", "{}");
    assertThat(result).isInstanceOf(CallResult.Failed.class);
    assertThat(result.text()).contains("no answer within 50 ms");
    eventually(() -> hanging.server.sawCancellation());
  }

  @Test
  void a_server_that_kept_telling_progress_held_a_call_for_ever() throws Exception {
    MemoryTransport busy = new MemoryTransport(Fault.ENDLESS_PROGRESS);
    McpServerConfig config =
        McpServerConfig.http("fake", "http://127.0.0.1:1/").withTimeout(Duration.ofMillis(400));
    McpSources sources =
        start(
            builder()
                .maxCallTime(Duration.ofMillis(900))
                .servers(List.of(config))
                .transport("fake", () -> busy));
    assertThat(sources.await(LONG)).isEmpty();
    CallResult result = call("mcp__fake__echo", "{}");
    assertThat(result).isInstanceOf(CallResult.Failed.class);
    assertThat(result.text()).contains("no answer within 900 ms");
    eventually(() -> busy.server.sawCancellation());
  }

  @Test
  void a_disabled_server_is_never_started_and_can_be_told_of() {
    McpSources sources =
        start(builder().servers(List.of(program("fake", Fault.NONE).withEnabled(false))));
    assertThat(sources.await(LONG)).isEmpty();
    assertThat(status(sources, "fake").state()).isEqualTo(McpServerState.DISABLED);
    assertThat(tools()).isEmpty();
  }

  @Test
  void a_removed_server_takes_its_tools_with_it() {
    McpSources sources = fake();
    assertThat(sources.remove("fake")).isTrue();
    eventually(() -> tools().isEmpty());
    assertThat(sources.status()).isEmpty();
    assertThat(sources.remove("fake")).isFalse();
  }

  @Test
  void exact_rules_of_exposure_win_over_patterns() {
    McpServerConfig config =
        McpServerConfig.http("fake", "http://127.0.0.1:1/")
            .withExposure(
                Exposure.DEFERRED, Map.of("e*", Exposure.HIDDEN, "echo", Exposure.DIRECT));
    McpSources sources = start(builder().servers(List.of(config)).transport("fake", () -> fake));
    assertThat(sources.awaitDirect(LONG)).isEmpty();
    assertThat(registry.list(ANN, null, 10).tools())
        .extracting(entry -> entry.tool().name() + " " + entry.tool().exposure())
        .containsExactly("mcp__fake__echo DIRECT", "mcp__fake__slow DEFERRED");
  }

  @Test
  void only_servers_with_direct_tools_are_waited_for_at_the_start() {
    McpSources sources =
        start(
            builder()
                .connectTimeout(Duration.ofMinutes(5))
                .servers(
                    List.of(
                        McpServerConfig.http("silent", "http://127.0.0.1:1/"),
                        McpServerConfig.http("direct", "http://127.0.0.1:1/")
                            .withExposure(Exposure.DIRECT, Map.of())))
                .transport("silent", () -> new MemoryTransport(Fault.SILENT))
                .transport("direct", () -> fake));
    assertThat(sources.awaitDirect(LONG)).isEmpty();
    assertThat(sources.await(Duration.ofMillis(1))).containsExactly("silent");
    assertThat(status(sources, "silent").settled()).isFalse();
  }
}
