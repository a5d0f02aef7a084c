package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What comes of calls, whatever authorizers and executors do. */
class CallTest {

  private final Tools.Rights rights = new Tools.Rights();

  @Test
  void a_call_reaches_its_tool_with_all_that_it_needs_to_know() {
    try (ToolRegistry registry = blocking(call -> ToolResult.text(call.toString()));
        ToolSession session = registry.session(Tools.ANN).id("talk-1").open()) {
      CallResult result = session.call(Tools.getOrder().withCallId("c1")).join();
      assertThat(result).isInstanceOf(CallResult.Completed.class);
      assertThat(result.isError()).isFalse();
      assertThat(result.text())
          .contains("callId=c1", "sessionId=talk-1", "user=ann", "name=get_order", "SO-1");
    }
  }

  @Test
  void a_right_withdrawn_refuses_the_next_call_of_an_active_tool() {
    AtomicInteger executed = new AtomicInteger();
    try (ToolRegistry registry =
            blocking(call -> ToolResult.text("" + executed.incrementAndGet()));
        ToolSession session = registry.session(Tools.ANN).open()) {
      assertThat(session.call(Tools.getOrder()).join()).isInstanceOf(CallResult.Completed.class);
      rights.selection.set(ToolSelection.none());
      CallResult refused = session.call(Tools.getOrder()).join();
      CallResult unknown = session.call(CallRequest.of("get_nothing", "{}")).join();
      assertThat(refused).isInstanceOf(CallResult.NotFound.class);
      assertThat(refused.text()).isEqualTo(unknown.text().replace("get_nothing", "get_order"));
      assertThat(executed).hasValue(1);
    }
  }

  @Test
  void an_error_or_a_checked_exception_of_an_authorizer_came_through_to_who_asked() {
    for (Throwable thrown : List.of(new AssertionError("broken"), new IOException("from Kotlin"))) {
      AtomicBoolean breaks = new AtomicBoolean();
      AtomicBoolean decides = new AtomicBoolean(true);
      ToolAuthorizer breaking =
          new ToolAuthorizer() {
            @Override
            public ToolSelection authorizedTools(Caller caller) {
              return breaks.get() ? Tools.sneak(thrown) : ToolSelection.all();
            }

            @Override
            public Decision authorize(ToolCall call) {
              return decides.get() ? Decision.permit() : Tools.sneak(thrown);
            }
          };
      try (ToolRegistry registry = ToolRegistry.builder().authorizer(breaking).build()) {
        registry.put(Tools.orders(ToolExecutor.blocking(call -> ToolResult.text("done"))));
        try (ToolSession session = registry.session(Tools.ANN).open()) {
          decides.set(false);
          assertThat(session.call(Tools.getOrder()).join()).isInstanceOf(CallResult.Refused.class);
          breaks.set(true);
          assertThat(session.call(Tools.getOrder()).join()).isInstanceOf(CallResult.NotFound.class);
          assertThat(session.search("order").hits()).isEmpty();
          assertThat(registry.list(Tools.ANN, null, 5).tools()).isEmpty();
        }
      }
    }
  }

  @Test
  void a_time_without_end_failed_calls_that_were_executed() {
    Duration forever = ChronoUnit.FOREVER.getDuration();
    try (ToolRegistry registry =
        ToolRegistry.builder()
            .authorizer(caller -> ToolSelection.all())
            .callTimeout(forever)
            .sourceWait(forever)
            .build()) {
      registry.put(
          Tools.orders(call -> CompletableFuture.supplyAsync(() -> ToolResult.text("done"))));
      try (ToolSession session = registry.session(Tools.ANN).open()) {
        assertThat(session.call(Tools.getOrder()).join().text()).isEqualTo("done");
        CompletableFuture<Void> tried = new CompletableFuture<>();
        registry.expect(
            new ExpectedSource("later", Set.of(Exposure.DEFERRED), null, Set.of(), tried));
        CompletableFuture<CallResult> waits =
            session.call(CallRequest.of("tool_search", "{\"query\":\"order\"}"));
        tried.complete(null);
        assertThat(waits.join()).isInstanceOf(CallResult.Searched.class);
      }
    }
  }

  @Test
  void a_model_read_digits_of_the_locale_of_the_jvm() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try (ToolRegistry registry =
        ToolRegistry.builder()
            .authorizer(caller -> ToolSelection.all())
            .limit(Limit.MAX_RESULT_BYTES, 12)
            .build()) {
      registry.put(Tools.orders(ToolExecutor.blocking(call -> ToolResult.text("x".repeat(13)))));
      try (ToolSession session = registry.session(Tools.ANN).open()) {
        assertThat(session.call(Tools.getOrder()).join().text())
            .contains("13 bytes is over the limit of 12 bytes");
      }
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void a_decision_refuses_one_call_and_says_why() {
    ToolAuthorizer onlyFirst =
        new ToolAuthorizer() {
          @Override
          public ToolSelection authorizedTools(Caller caller) {
            return ToolSelection.all();
          }

          @Override
          public Decision authorize(ToolCall call) {
            return call.arguments().contains("SO-1\"")
                ? Decision.permit()
                : Decision.deny("Not yours.");
          }
        };
    try (ToolRegistry registry = blocking(call -> ToolResult.text("done"));
        ToolSession session = registry.session(Tools.ANN).authorizer(onlyFirst).open()) {
      assertThat(session.call(Tools.getOrder()).join()).isInstanceOf(CallResult.Completed.class);
      assertThat(session.call(CallRequest.of("get_order", "{\"order\":\"SO-2\"}")).join())
          .isInstanceOf(CallResult.Refused.class)
          .satisfies(refused -> assertThat(refused.text()).isEqualTo("Not yours."))
          .satisfies(refused -> assertThat(refused.tool().name()).isEqualTo("get_order"));
    }
  }

  @Test
  void an_authorizer_that_throws_or_answers_null_gives_nothing_and_refuses() {
    AtomicInteger executed = new AtomicInteger();
    ToolAuthorizer broken =
        new ToolAuthorizer() {
          @Override
          public ToolSelection authorizedTools(Caller caller) {
            return ToolSelection.all();
          }

          @Override
          @SuppressWarnings("NullAway")
          public Decision authorize(ToolCall call) {
            if (executed.get() == 0) {
              throw new IllegalStateException("the directory is down");
            }
            return null;
          }
        };
    try (ToolRegistry registry = blocking(call -> ToolResult.text("done"))) {
      try (ToolSession session = registry.session(Tools.ANN).authorizer(broken).open()) {
        for (int i = 0; i < 2; i++) {
          CallResult refused = session.call(Tools.getOrder()).join();
          assertThat(refused).isInstanceOf(CallResult.Refused.class);
          assertThat(refused.text()).doesNotContain("directory");
          executed.incrementAndGet();
        }
      }
      ToolAuthorizer nothing =
          caller -> {
            throw new StackOverflowError();
          };
      try (ToolSession session = registry.session(Tools.ANN).authorizer(nothing).open()) {
        assertThat(session.state().authorized()).isZero();
        assertThat(session.render(Target.MCP).isEmpty()).isTrue();
      }
    }
  }

  @Test
  void without_an_authorizer_nothing_is_listed_found_or_callable() {
    try (ToolRegistry registry = ToolRegistry.builder().build()) {
      registry.put(Tools.orders(ToolExecutor.blocking(call -> ToolResult.text("done"))));
      assertThat(registry.list(Tools.ANN, null, 10).tools()).isEmpty();
      try (ToolSession session = registry.session(Tools.ANN).open()) {
        assertThat(session.search("get order")).isInstanceOf(SearchOutcome.NothingFound.class);
        assertThat(session.call(Tools.getOrder()).join()).isInstanceOf(CallResult.NotFound.class);
      }
    }
  }

  @Test
  void every_link_of_a_chain_must_agree() {
    ToolAuthorizer tenant = caller -> ToolSelection.sources("orders");
    ToolAuthorizer role = caller -> ToolSelection.tags("read");
    assertThat(ToolAuthorizer.allOf(tenant, role).authorizedTools(Tools.ANN))
        .isEqualTo(ToolSelection.sources("orders").and(ToolSelection.tags("read")));
    assertThat(ToolAuthorizer.allOf().authorizedTools(Tools.ANN)).isEqualTo(ToolSelection.none());
  }

  @Test
  void a_tool_that_throws_fails_without_telling_the_model_how() {
    ToolExecutor throwing =
        call -> {
          throw new java.io.IOException("password is hunter2");
        };
    ToolExecutor failing = call -> CompletableFuture.failedFuture(new AssertionError("hunter2"));
    @SuppressWarnings("NullAway")
    ToolExecutor nothing = call -> null;
    @SuppressWarnings("NullAway")
    ToolExecutor nullResult = call -> CompletableFuture.completedFuture(null);
    for (ToolExecutor tool : new ToolExecutor[] {throwing, failing, nothing, nullResult}) {
      try (ToolRegistry registry = registry(tool);
          ToolSession session = registry.session(Tools.ANN).open()) {
        CallResult result = session.call(Tools.getOrder()).join();
        assertThat(result).isInstanceOf(CallResult.Failed.class);
        assertThat(result.text()).isEqualTo("get_order failed.");
      }
    }
  }

  @Test
  void what_a_tool_says_of_its_own_failure_reaches_the_model() {
    try (ToolRegistry registry = blocking(call -> ToolResult.error("no order SO-1"));
        ToolSession session = registry.session(Tools.ANN).open()) {
      CallResult result = session.call(Tools.getOrder()).join();
      assertThat(result).isInstanceOf(CallResult.Failed.class);
      assertThat(result.text()).isEqualTo("no order SO-1");
      assertThat(result.isError()).isTrue();
    }
  }

  @Test
  void only_the_first_completion_counts() {
    CompletableFuture<ToolResult> stage = new CompletableFuture<>();
    try (ToolRegistry registry = registry(call -> stage);
        ToolSession session = registry.session(Tools.ANN).open()) {
      CompletableFuture<CallResult> result = session.call(Tools.getOrder());
      stage.complete(ToolResult.text("first"));
      stage.complete(ToolResult.text("second"));
      stage.completeExceptionally(new IllegalStateException());
      assertThat(result.join().text()).isEqualTo("first");
    }
  }

  @Test
  void a_tool_that_never_answers_is_given_up() {
    try (ToolRegistry registry =
            ToolRegistry.builder().authorizer(rights).callTimeout(Duration.ofMillis(1)).build();
        ToolSession session = open(registry, call -> new CompletableFuture<>())) {
      CallResult result = session.call(Tools.getOrder()).join();
      assertThat(result).isInstanceOf(CallResult.Unavailable.class);
    }
  }

  @Test
  void an_executor_without_room_makes_the_tool_unavailable() {
    try (ToolRegistry registry =
            ToolRegistry.builder()
                .authorizer(rights)
                .executor(
                    task -> {
                      throw new RejectedExecutionException("full");
                    })
                .build();
        ToolSession session = open(registry, ToolExecutor.blocking(call -> ToolResult.text("")))) {
      assertThat(session.call(Tools.getOrder()).join()).isInstanceOf(CallResult.Unavailable.class);
    }
  }

  @Test
  void a_tool_that_nothing_executes_is_unavailable() {
    try (ToolRegistry registry = ToolRegistry.builder().authorizer(rights).build()) {
      registry.put(
          ToolSource.named("orders")
              .naming(Naming.PLAIN)
              .exposure(Exposure.DIRECT)
              .tool(Tools.tool("get_order").build())
              .build());
      try (ToolSession session = registry.session(Tools.ANN).open()) {
        assertThat(session.call(Tools.getOrder()).join())
            .isInstanceOf(CallResult.Unavailable.class);
      }
    }
  }

  @Test
  void a_call_that_was_started_finishes_although_everything_is_closed() throws Exception {
    CompletableFuture<ToolResult> stage = new CompletableFuture<>();
    CountDownLatch started = new CountDownLatch(1);
    CompletableFuture<CallResult> result;
    ToolSession session;
    try (ToolRegistry registry =
        registry(
            call -> {
              started.countDown();
              return stage;
            })) {
      session = registry.session(Tools.ANN).open();
      result = session.call(Tools.getOrder());
      started.await();
      session.close();
    }
    stage.complete(ToolResult.text("x".repeat(10_000)));
    assertThat(result.join()).isInstanceOf(CallResult.Completed.class);
    assertThat(result.join().text()).hasSizeLessThanOrEqualTo(4096).contains("[cut:");
    assertThatThrownBy(() -> session.call(Tools.getOrder()))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_tool_may_use_the_session_that_calls_it() {
    ToolSession[] session = new ToolSession[1];
    ToolExecutor reentrant =
        ToolExecutor.blocking(
            call -> ToolResult.text(String.valueOf(session[0].search("order").hits().size())));
    try (ToolRegistry registry = registry(reentrant)) {
      session[0] = registry.session(Tools.ANN).open();
      assertThat(session[0].call(Tools.getOrder()).join().text()).isEqualTo("1");
      session[0].close();
    }
  }

  @Test
  void a_call_of_tool_search_searches_and_activates() {
    try (ToolRegistry registry = ToolRegistry.builder().authorizer(rights).build()) {
      registry.put(
          ToolSource.named("orders")
              .naming(Naming.PLAIN)
              .tool(Tools.tool("get_order").build())
              .build());
      try (ToolSession session = registry.session(Tools.ANN).open()) {
        assertThat(session.call(Tools.getOrder()).join()).isInstanceOf(CallResult.NotActive.class);
        CallResult result =
            session.call(CallRequest.of("tool_search", "{\"query\":\"get order\"}")).join();
        assertThat(result).isInstanceOf(CallResult.Searched.class);
        assertThat(((CallResult.Searched) result).outcome().addedToolNames())
            .containsExactly("get_order");
        assertThat(session.render(Target.MCP).toolNames())
            .containsExactly("tool_search", "get_order");
      }
    }
  }

  @Test
  void a_result_over_the_limit_is_a_failure() {
    try (ToolRegistry registry =
            ToolRegistry.builder().authorizer(rights).limit(Limit.MAX_RESULT_BYTES, 10).build();
        ToolSession session =
            open(registry, ToolExecutor.blocking(call -> ToolResult.text("eleven bytes")))) {
      CallResult result = session.call(Tools.getOrder()).join();
      assertThat(result).isInstanceOf(CallResult.Failed.class);
      assertThat(result.text()).contains("12 bytes", "10 bytes");
    }
  }

  private ToolRegistry blocking(ToolExecutor.Blocking tool) {
    return registry(ToolExecutor.blocking(tool));
  }

  private ToolRegistry registry(ToolExecutor tool) {
    ToolRegistry registry = ToolRegistry.builder().authorizer(rights).build();
    registry.put(Tools.orders(tool));
    return registry;
  }

  private static ToolSession open(ToolRegistry registry, ToolExecutor tool) {
    registry.put(Tools.orders(tool));
    return registry.session(Tools.ANN).open();
  }

  @Test
  void a_tool_that_is_not_available_says_so_in_its_own_words() {
    try (ToolRegistry registry =
            blocking(
                call -> {
                  throw new ToolUnavailableException("The warehouse is closed until 6:00.");
                });
        ToolSession session = registry.session(Tools.ANN).open()) {
      CallResult result = session.call(Tools.getOrder()).join();
      assertThat(result).isInstanceOf(CallResult.Unavailable.class);
      assertThat(result.text()).isEqualTo("The warehouse is closed until 6:00.");
    }
  }
}
