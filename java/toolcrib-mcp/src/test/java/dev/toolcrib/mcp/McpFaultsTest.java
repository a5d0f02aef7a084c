package dev.toolcrib.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.CallResult;
import dev.toolcrib.mcp.FakeServer.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that lie, hang, crash and flood. */
class McpFaultsTest extends McpTest {

  private McpSources start(Fault fault) {
    McpSources sources =
        start(
            builder()
                .servers(List.of(McpServerConfig.http("fake", "http://127.0.0.1:1/")))
                .transport("fake", () -> new MemoryTransport(fault)));
    assertThat(sources.await(LONG)).isEmpty();
    return sources;
  }

  @Test
  void a_program_that_ends_at_once_says_why_in_its_last_words() {
    McpSources sources = start(builder().servers(List.of(program("fake", Fault.CRASH_AT_START))));
    assertThat(sources.await(LONG)).isEmpty();
    eventually(() -> status(sources, "fake").error() != null);
    assertThat(status(sources, "fake").error()).contains("ended with 3", "I cannot work like this");
  }

  @Test
  void a_command_that_is_not_there_is_no_surprise() {
    McpSources sources =
        start(builder().servers(List.of(McpServerConfig.stdio("x", "no-such-command-at-all"))));
    assertThat(sources.await(LONG)).isEmpty();
    McpServerStatus status = status(sources, "x");
    assertThat(status.state()).isEqualTo(McpServerState.FAILED);
    assertThat(status.error()).contains("no-such-command-at-all cannot be started");
  }

  @Test
  void a_missing_variable_fails_only_its_server_and_is_named() {
    McpServerConfig config =
        McpServerConfig.of(
            "x", new McpServerConfig.Stdio("true", List.of(), Map.of("T", "$NOT_SET"), null));
    McpSources sources = start(builder().servers(List.of(config)).environment(name -> null));
    assertThat(sources.await(LONG)).isEmpty();
    assertThat(status(sources, "x").error())
        .isEqualTo("env.T needs the variable NOT_SET, which is not set");
  }

  @Test
  void a_silent_server_is_given_up() {
    McpSources sources =
        start(
            builder()
                .connectTimeout(Duration.ofMillis(50))
                .servers(List.of(McpServerConfig.http("fake", "http://127.0.0.1:1/")))
                .transport("fake", () -> new MemoryTransport(Fault.SILENT)));
    assertThat(sources.await(LONG)).isEmpty();
    assertThat(status(sources, "fake").state())
        .isIn(McpServerState.FAILED, McpServerState.CONNECTING);
  }

  @Test
  void answers_that_nobody_asked_for_change_nothing() throws Exception {
    start(Fault.WRONG_ID);
    assertThat(call("mcp__fake__echo", "{\"text\":\"hi\"}").text()).isEqualTo("hi");
  }

  @Test
  void a_list_that_is_none_fails_the_server() {
    assertThat(status(start(Fault.LIST_IS_NO_LIST), "fake").error()).contains("no list of tools");
  }

  @Test
  void a_cursor_that_comes_twice_fails_the_server() {
    assertThat(status(start(Fault.CURSOR_CIRCLE), "fake").error()).contains("a cursor came twice");
  }

  @Test
  void endless_pages_come_to_an_end() {
    assertThat(status(start(Fault.ENDLESS_PAGES), "fake").error()).contains("more than 1000 pages");
    assertThat(tools()).isEmpty();
  }

  @Test
  void cursors_were_kept_whatever_their_size() {
    assertThat(status(start(Fault.HUGE_CURSORS), "fake").error()).contains("67108864 bytes");
  }

  @Test
  void an_unknown_revision_fails_the_server() {
    assertThat(status(start(Fault.UNKNOWN_REVISION), "fake").error()).contains("1999-01-01");
  }

  @Test
  void a_result_without_shape_is_a_failed_call() throws Exception {
    start(Fault.SHAPELESS_RESULT);
    CallResult result = call("mcp__fake__echo", "{}");
    assertThat(result).isInstanceOf(CallResult.Failed.class);
    assertThat(result.text()).contains("the content of the result is no list");
  }

  @Test
  void odd_tools_do_not_keep_the_others_back() {
    start(Fault.ODD_TOOLS);
    assertThat(tools())
        .containsExactly("mcp__fake__echo", "mcp__fake__env", "mcp__fake__old", "mcp__fake__slow");
    assertThat(registry.sources().get(0).quarantined()).hasSize(2);
  }

  @Test
  void a_flood_of_notifications_lists_the_tools_a_few_times() {
    MemoryTransport flooding = new MemoryTransport(Fault.FLOOD);
    McpSources sources =
        start(
            builder()
                .servers(List.of(McpServerConfig.http("fake", "http://127.0.0.1:1/")))
                .transport("fake", () -> flooding));
    assertThat(sources.await(LONG)).isEmpty();
    flooding.server.tools("late");
    flooding.server.tell("notifications/tools/list_changed");
    eventually(() -> tools().equals(List.of("mcp__fake__late")));
    assertThat(flooding.server.lists).hasValueLessThan(20);
  }

  @Test
  void lines_that_are_no_messages_are_skipped() throws Exception {
    McpSources sources = start(builder().servers(List.of(program("fake", Fault.CHATTER))));
    assertThat(sources.await(LONG)).isEmpty();
    assertThat(call("mcp__fake__echo", "{\"text\":\"hi\"}").text()).isEqualTo("hi");
  }

  @Test
  void a_result_of_fifty_megabytes_fails_its_call_and_nothing_else() throws Exception {
    McpSources sources = start(builder().servers(List.of(program("fake", Fault.HUGE_RESULT))));
    assertThat(sources.await(LONG)).isEmpty();
    assertThat(hugeBesideOthers(sources)).contains("over the limit of 16777216 bytes");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_result_of_fifty_megabytes_over_http_was_said_not_to_be_executed(boolean streams)
      throws Exception {
    try (FakeHttpServer server = new FakeHttpServer(Fault.HUGE_RESULT, streams)) {
      McpSources sources =
          start(builder().servers(List.of(McpServerConfig.http("fake", server.url()))));
      assertThat(sources.await(LONG)).isEmpty();
      assertThat(hugeBesideOthers(sources)).contains("exceeds the maximum allowed size of 167772");
    }
  }

  /** What is said of a result that is too large while others call, who are to notice nothing. */
  private String hugeBesideOthers(McpSources sources) throws Exception {
    List<CompletableFuture<String>> others = new ArrayList<>();
    CompletableFuture<CallResult> huge = CompletableFuture.supplyAsync(() -> called("{}"));
    for (int i = 0; i < 8; i++) {
      String arguments = "{\"text\":\"hi %d\"}".formatted(i);
      others.add(CompletableFuture.supplyAsync(() -> called(arguments).text()));
    }
    for (int i = 0; i < 8; i++) {
      assertThat(others.get(i).get()).isEqualTo("hi " + i);
    }
    CallResult result = huge.get();
    assertThat(result).isInstanceOf(CallResult.Failed.class);
    assertThat(result.text()).contains("Whether it had an effect is not known");
    assertThat(status(sources, "fake").state()).isEqualTo(McpServerState.CONNECTED);
    assertThat(called("{\"text\":\"on\"}").text()).isEqualTo("on");
    return result.text();
  }

  private CallResult called(String arguments) {
    try {
      return call("mcp__fake__echo", arguments);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void a_flood_of_what_nobody_asked_for_holds_no_answer_back() throws Exception {
    McpSources sources = start(builder().servers(List.of(program("fake", Fault.CALL_FLOOD))));
    assertThat(sources.await(LONG)).isEmpty();
    assertThat(called("{\"text\":\"through\"}").text()).isEqualTo("through");
  }

  @Test
  void bytes_that_are_no_text_are_replaced() throws Exception {
    McpSources sources = start(builder().servers(List.of(program("fake", Fault.INVALID_UTF8))));
    assertThat(sources.await(LONG)).isEmpty();
    assertThat(called("{}").text()).isEqualTo("caf\uFFFD");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void bytes_that_are_no_text_are_replaced_over_http(boolean streams) throws Exception {
    try (FakeHttpServer server = new FakeHttpServer(Fault.INVALID_UTF8, streams)) {
      McpSources sources =
          start(builder().servers(List.of(McpServerConfig.http("fake", server.url()))));
      assertThat(sources.await(LONG)).isEmpty();
      assertThat(called("{}").text()).isEqualTo("caf\uFFFD");
    }
  }

  @Test
  void a_server_that_comes_and_goes_keeps_its_tools_and_publishes_once() {
    List<MemoryTransport> transports = new java.util.concurrent.CopyOnWriteArrayList<>();
    McpSources sources =
        start(
            builder()
                .retry(Duration.ofMillis(1), Duration.ofMillis(5))
                .servers(List.of(McpServerConfig.http("fake", "http://127.0.0.1:1/")))
                .transport(
                    "fake",
                    () -> {
                      MemoryTransport next = new MemoryTransport(Fault.NONE);
                      transports.add(next);
                      return next;
                    }));
    assertThat(sources.await(LONG)).isEmpty();
    long version = registry.info().version();
    for (int times = 1; times <= 20; times++) {
      int seen = times;
      eventually(
          () ->
              transports.size() == seen
                  && status(sources, "fake").state() == McpServerState.CONNECTED);
      transports.get(seen - 1).vanish();
    }
    assertThat(tools()).hasSize(3);
    assertThat(registry.info().version()).isEqualTo(version);
  }

  @Test
  void a_stubborn_program_is_killed() {
    McpSources sources = builder().servers(List.of(program("fake", Fault.STUBBORN))).start();
    assertThat(sources.await(LONG)).isEmpty();
    List<ProcessHandle> children = ProcessHandle.current().children().toList();
    assertThat(children).isNotEmpty();
    sources.close();
    eventually(() -> children.stream().noneMatch(ProcessHandle::isAlive));
  }

  @Test
  void a_program_that_was_being_connected_went_on_when_its_source_was_closed_or_removed() {
    Set<ProcessHandle> before = ProcessHandle.current().children().collect(Collectors.toSet());
    Supplier<List<ProcessHandle>> started =
        () -> ProcessHandle.current().children().filter(child -> !before.contains(child)).toList();
    McpSources sources =
        builder()
            .connectTimeout(Duration.ofMinutes(5))
            .servers(List.of(program("closed", Fault.SILENT), program("removed", Fault.SILENT)))
            .start();
    eventually(() -> started.get().size() == 2);
    assertThat(sources.remove("removed")).isTrue();
    eventually(() -> started.get().size() == 1);
    sources.close();
    eventually(() -> started.get().isEmpty());
  }

  @Test
  void two_hundred_sources_of_which_every_fifth_is_silent_are_there_at_once() throws Exception {
    List<McpServerConfig> servers = new ArrayList<>();
    McpSources.Builder builder = builder().connectTimeout(Duration.ofSeconds(5));
    for (int i = 0; i < 200; i++) {
      String name = "s%03d".formatted(i);
      Fault fault = i % 5 == 0 ? Fault.SILENT : Fault.NONE;
      servers.add(McpServerConfig.http(name, "http://127.0.0.1:1/"));
      builder.transport(name, () -> new MemoryTransport(fault));
    }
    McpSources sources = start(builder.servers(servers));
    eventually(() -> registry.info().tools() == 160 * 3);
    List<CompletableFuture<String>> calls = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      String tool = "mcp__s%03d__echo".formatted(i);
      if (i % 5 != 0) {
        calls.add(CompletableFuture.supplyAsync(() -> echo(tool)));
      }
    }
    assertThat(calls).allSatisfy(call -> assertThat(call.get()).startsWith("mcp__s"));
    assertThat(sources.await(LONG)).isEmpty();
  }

  private String echo(String tool) {
    try {
      CallResult result = call(tool, "{\"text\":\"" + tool + "\"}");
      assertThat(result.text()).isEqualTo(tool);
      return result.text();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
