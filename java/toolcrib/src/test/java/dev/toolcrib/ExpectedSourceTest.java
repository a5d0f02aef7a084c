package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sources that are to come: who waits for them, for how long, and who is told. */
class ExpectedSourceTest {

  private static final Caller ANN = Caller.of("acme", "ann");

  /** May use nothing of what is expected here. */
  private static final Caller BOB = Caller.of("rest", "bob");

  private final CompletableFuture<Void> tried = new CompletableFuture<>();
  private ToolRegistry registry = registry(Duration.ofMinutes(5));

  @AfterEach
  void close() {
    registry.close();
  }

  private static ToolRegistry registry(Duration sourceWait) {
    return ToolRegistry.builder()
        .sourceWait(sourceWait)
        .authorizer(
            caller ->
                caller.equals(BOB) ? ToolSelection.sources("other") : ToolSelection.domains("help"))
        .build();
  }

  private void impatient() {
    registry.close();
    registry = registry(Duration.ofMillis(1));
  }

  private boolean expect(String name, Exposure... exposures) {
    return registry.expect(
        new ExpectedSource(name, Set.of(exposures), "help", Set.of("mcp"), tried));
  }

  private void arrives(String name, Exposure exposure) {
    registry.put(
        ToolSource.named(name)
            .domain("help")
            .exposure(exposure)
            .tool(
                ToolDefinition.named("open").description("Opens a ticket").build(),
                ToolExecutor.blocking(call -> ToolResult.text("opened")))
            .build());
    tried.complete(null);
  }

  private static CallRequest searchFor(String query) {
    return CallRequest.of("tool_search", "{\"query\":\"%s\"}".formatted(query));
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(60, TimeUnit.SECONDS);
  }

  @Test
  void a_search_of_the_model_waits_until_the_source_was_tried() throws Exception {
    expect("tickets", Exposure.DEFERRED);
    try (ToolSession session = registry.session(ANN).open()) {
      CompletableFuture<CallResult> searched = session.call(searchFor("open a ticket"));
      assertThat(searched).isNotDone();
      arrives("tickets", Exposure.DEFERRED);
      SearchOutcome outcome = ((CallResult.Searched) get(searched)).outcome();
      assertThat(outcome.addedToolNames()).containsExactly("mcp__tickets__open");
      assertThat(outcome.notReady()).isEmpty();
      assertThat(session.call(searchFor("open a ticket"))).isDone();
    }
  }

  @Test
  void a_search_of_the_service_waits_as_well() throws Exception {
    expect("tickets", Exposure.DEFERRED);
    try (ToolSession session = registry.session(ANN).open()) {
      CompletableFuture<SearchOutcome> searched =
          CompletableFuture.supplyAsync(() -> session.search("open a ticket"));
      arrives("tickets", Exposure.DEFERRED);
      assertThat(get(searched).hits()).hasSize(1);
    }
  }

  @Test
  void a_call_waits_for_the_source_of_its_tool_and_for_no_other() throws Exception {
    expect("tickets", Exposure.DEFERRED);
    try (ToolSession session = registry.session(ANN).open()) {
      assertThat(session.call(CallRequest.of("mcp__lights__on", "{}"))).isDone();
      CompletableFuture<CallResult> called =
          session.call(CallRequest.of("mcp__tickets__open", "{}").allowingInactive());
      assertThat(called).isNotDone();
      arrives("tickets", Exposure.DEFERRED);
      assertThat(get(called).text()).isEqualTo("opened");
    }
  }

  @Test
  void a_source_is_waited_for_once_and_then_named_in_each_answer() throws Exception {
    impatient();
    expect("tickets", Exposure.DEFERRED);
    try (ToolSession session = registry.session(ANN).open();
        ToolSession another = registry.session(ANN).open()) {
      SearchOutcome first = session.search("open a ticket");
      assertThat(first).isInstanceOf(SearchOutcome.NothingFound.class);
      assertThat(first.notReady()).containsExactly("tickets");
      assertThat(first.text()).contains("Not searched", "tickets");
      for (ToolSession later : new ToolSession[] {session, another}) {
        CompletableFuture<CallResult> searched = later.call(searchFor("open a ticket"));
        assertThat(searched).isDone();
        assertThat(get(searched).text()).contains("tickets");
      }
      assertThat(get(session.call(CallRequest.of("mcp__tickets__open", "{}"))).text())
          .contains("tickets are not known yet");
      arrives("tickets", Exposure.DEFERRED);
      assertThat(session.search("open a ticket").notReady()).isEmpty();
    }
  }

  @Test
  void a_source_that_was_tried_in_vain_is_not_waited_for() throws Exception {
    expect("tickets", Exposure.DEFERRED);
    tried.completeExceptionally(new IllegalStateException("no such host"));
    try (ToolSession session = registry.session(ANN).open()) {
      CompletableFuture<CallResult> searched = session.call(searchFor("open a ticket"));
      assertThat(searched).isDone();
      assertThat(get(searched).text()).contains("tickets");
    }
  }

  @Test
  void who_may_not_know_of_a_source_neither_waits_for_it_nor_hears_of_it() throws Exception {
    expect("tickets", Exposure.DEFERRED, Exposure.DIRECT);
    assertThat(registry.expected(ANN)).containsExactly("tickets");
    assertThat(registry.expected(BOB)).isEmpty();
    try (ToolSession session = registry.session(BOB).open()) {
      assertThat(session.search("open a ticket").notReady()).isEmpty();
      assertThat(session.render(Target.OPENAI_CHAT).notReady()).isEmpty();
      assertThat(session.render(Target.OPENAI_CHAT).toolNames()).isEmpty();
      for (String name : new String[] {"tool_search", "mcp__tickets__open"}) {
        CompletableFuture<CallResult> called = session.call(CallRequest.of(name, "{}"));
        assertThat(called).isDone();
        assertThat(get(called)).isInstanceOf(CallResult.NotFound.class);
      }
    }
  }

  @Test
  void the_first_rendering_waits_for_direct_tools_and_later_ones_do_not() throws Exception {
    expect("tickets", Exposure.DIRECT);
    try (ToolSession session = registry.session(ANN).open()) {
      CompletableFuture<RenderedTools> rendered =
          CompletableFuture.supplyAsync(() -> session.render(Target.OPENAI_CHAT));
      arrives("tickets", Exposure.DIRECT);
      assertThat(get(rendered).toolNames()).containsExactly("mcp__tickets__open");
      registry.expect(
          new ExpectedSource(
              "lights", Set.of(Exposure.DIRECT), "help", Set.of(), new CompletableFuture<>()));
      assertThat(session.render(Target.OPENAI_CHAT).notReady()).containsExactly("lights");
    }
  }

  @Test
  void a_rendering_does_not_wait_for_what_is_found_later_but_offers_to_find_it() {
    expect("tickets", Exposure.DEFERRED);
    try (ToolSession session = registry.session(ANN).open()) {
      RenderedTools rendered = session.render(Target.OPENAI_CHAT);
      assertThat(rendered.toolNames()).containsExactly("tool_search");
      assertThat(rendered.notReady()).isEmpty();
      String before = rendered.json();
      arrives("tickets", Exposure.DEFERRED);
      assertThat(session.render(Target.OPENAI_CHAT).json()).isEqualTo(before);
    }
  }

  @Test
  void a_script_waits_and_is_cancelled_while_it_does() throws Exception {
    expect("tickets", Exposure.CODEMODE);
    String code = "return (await tools.mcp__tickets__open({})).content[0].text";
    try (ToolSession session = registry.session(ANN).codemode(true).open()) {
      assertThat(session.render(Target.OPENAI_CHAT).toolNames()).containsExactly("codemode");
      CompletableFuture<ScriptResult> cancelled =
          session.runScript(code, ScriptOptions.defaults()).toCompletableFuture();
      CompletableFuture<ScriptResult> run =
          session.runScript(code, ScriptOptions.defaults()).toCompletableFuture();
      CompletableFuture<CallResult> ofTheModel =
          session.call(CallRequest.of("codemode", "{\"code\":\"%s\"}".formatted(code)));
      assertThat(cancelled.cancel(false)).isTrue();
      assertThat(run).isNotDone();
      assertThat(ofTheModel).isNotDone();
      arrives("tickets", Exposure.CODEMODE);
      assertThat(get(run).value()).isEqualTo("\"opened\"");
      assertThat(get(ofTheModel).text()).contains("opened");
    }
  }

  @Test
  void a_session_that_is_closed_meanwhile_ends_the_wait() {
    expect("tickets", Exposure.DEFERRED);
    ToolSession session = registry.session(ANN).open();
    CompletableFuture<CallResult> searched = session.call(searchFor("open a ticket"));
    session.close();
    tried.complete(null);
    assertThatThrownBy(searched::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_source_that_is_there_is_not_expected_and_one_that_is_removed_no_more() {
    arrives("tickets", Exposure.DEFERRED);
    assertThat(expect("tickets", Exposure.DEFERRED)).isFalse();
    assertThat(expect("lights", Exposure.DEFERRED)).isTrue();
    assertThat(registry.expected(ANN)).containsExactly("lights");
    assertThat(registry.remove("lights")).isTrue();
    assertThat(registry.expected(ANN)).isEmpty();
    assertThatThrownBy(() -> expect(" ")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void nothing_waits_where_no_time_is_given() throws Exception {
    registry.close();
    registry = registry(Duration.ZERO);
    expect("tickets", Exposure.DEFERRED);
    try (ToolSession session = registry.session(ANN).open()) {
      assertThat(session.call(searchFor("open a ticket"))).isDone();
    }
    ToolRegistry.Builder builder = ToolRegistry.builder();
    assertThatThrownBy(() -> builder.sourceWait(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
