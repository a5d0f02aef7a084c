package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Interceptors, for calls of the model and of scripts alike. */
class ToolCallInterceptorTest {

  private final AtomicInteger executed = new AtomicInteger();

  private List<CallResult> results(ToolCallInterceptor... interceptors) {
    return results(ToolResult.text("done"), interceptors);
  }

  /** The same call, made by the model and by a script. */
  private List<CallResult> results(ToolResult answer, ToolCallInterceptor... interceptors) {
    ToolRegistry.Builder builder = ToolRegistry.builder().authorizer(caller -> ToolSelection.all());
    for (ToolCallInterceptor interceptor : interceptors) {
      builder.interceptor(interceptor);
    }
    List<CallResult> heard = new ArrayList<>();
    try (ToolRegistry registry = builder.build()) {
      registry.put(
          Tools.orders(
              ToolExecutor.blocking(
                  call -> {
                    executed.incrementAndGet();
                    return answer.text().equals("arguments")
                        ? ToolResult.text(call.arguments())
                        : answer;
                  })));
      try (ToolSession session =
          registry.session(Tools.ANN).listener(call -> heard.add(call.result())).open()) {
        session.call(Tools.getOrder()).join();
        session
            .runScript(
                "try { await tools.get_order({order: 'SO-1'}) } catch {}", ScriptOptions.defaults())
            .toCompletableFuture()
            .join();
      }
    }
    heard.removeIf(result -> result instanceof CallResult.Scripted);
    assertThat(heard).hasSize(2);
    return heard;
  }

  private static ToolCallInterceptor before(
      java.util.function.Function<ToolCall, ToolCallInterceptor.Step> step) {
    return new ToolCallInterceptor() {
      @Override
      public Step before(ToolCall call) {
        return step.apply(call);
      }
    };
  }

  private static ToolCallInterceptor after(java.util.function.UnaryOperator<ToolResult> result) {
    return new ToolCallInterceptor() {
      @Override
      public ToolResult after(ToolCall call, ToolResult answered) {
        return result.apply(answered);
      }
    };
  }

  @Test
  void one_that_refuses_is_the_last_to_be_asked() {
    List<CallResult> results =
        results(
            before(call -> ToolCallInterceptor.Step.refuse("closed on Sundays")),
            before(
                call -> {
                  throw new AssertionError("must not be asked");
                }));
    assertThat(results)
        .allMatch(result -> result instanceof CallResult.Refused)
        .allMatch(result -> result.text().equals("closed on Sundays"));
    assertThat(executed).hasValue(0);
  }

  @Test
  void one_that_throws_or_answers_null_refuses() {
    for (ToolCallInterceptor broken :
        List.of(
            before(
                call -> {
                  throw new IllegalStateException("broken");
                }),
            before(
                call -> {
                  throw new AssertionError("broken");
                }),
            before(call -> Tools.sneak(new IOException("as Kotlin throws it"))),
            before(call -> null))) {
      assertThat(results(broken)).allMatch(result -> result instanceof CallResult.Refused);
    }
    assertThat(executed).hasValue(0);
  }

  @Test
  void rights_withdrawn_while_an_interceptor_asked_somebody_did_not_stop_the_call() {
    Tools.Rights rights = new Tools.Rights();
    AtomicInteger executions = new AtomicInteger();
    try (ToolRegistry registry =
        ToolRegistry.builder()
            .authorizer(rights)
            .interceptor(
                before(
                    call -> {
                      rights.selection.set(ToolSelection.none());
                      return ToolCallInterceptor.Step.proceed();
                    }))
            .build()) {
      registry.put(
          Tools.orders(
              ToolExecutor.blocking(call -> ToolResult.text("" + executions.incrementAndGet()))));
      try (ToolSession session = registry.session(Tools.ANN).open()) {
        assertThat(session.call(Tools.getOrder()).join()).isInstanceOf(CallResult.NotFound.class);
      }
    }
    assertThat(executions).hasValue(0);
  }

  @Test
  void what_an_interceptor_let_pass_was_executed_by_another_tool_that_had_taken_its_place() {
    ToolRegistry[] registry = new ToolRegistry[1];
    List<String> executions = new ArrayList<>();
    try (ToolRegistry built =
        ToolRegistry.builder()
            .authorizer(caller -> ToolSelection.all())
            .interceptor(
                before(
                    call -> {
                      registry[0].put(deleting(false, executions));
                      return ToolCallInterceptor.Step.proceed();
                    }))
            .build()) {
      registry[0] = built;
      built.put(deleting(true, executions));
      try (ToolSession session = built.session(Tools.ANN).open()) {
        CallRequest request = CallRequest.of("tidy", "{}");
        assertThat(session.call(request).join().text()).contains("tidy was changed while");
        // It is what was asked about now.
        assertThat(session.call(request).join()).isInstanceOf(CallResult.Completed.class);
      }
    }
    assertThat(executions).containsExactly("destructive");
  }

  private static ToolSource deleting(boolean readOnly, List<String> executions) {
    ToolAnnotations hints = new ToolAnnotations(null, readOnly, !readOnly, null, null);
    return ToolSource.named("files")
        .naming(Naming.PLAIN)
        .exposure(Exposure.DIRECT)
        .tool(
            ToolDefinition.named("tidy").annotations(hints).build(),
            ToolExecutor.blocking(
                call -> {
                  executions.add(readOnly ? "read-only" : "destructive");
                  return ToolResult.text("done");
                }))
        .build();
  }

  @Test
  void changed_arguments_reach_the_next_and_the_tool() {
    List<String> seen = new ArrayList<>();
    List<CallResult> results =
        results(
            ToolResult.text("arguments"),
            before(call -> ToolCallInterceptor.Step.withArguments("{\"order\":\"SO-2\"}")),
            before(
                call -> {
                  seen.add(call.arguments());
                  return ToolCallInterceptor.Step.proceed();
                }));
    assertThat(seen).containsOnly("{\"order\":\"SO-2\"}");
    assertThat(results).allMatch(result -> result.text().equals("{\"order\":\"SO-2\"}"));
  }

  @Test
  void changed_arguments_are_validated_again() {
    assertThat(results(before(call -> ToolCallInterceptor.Step.withArguments("{\"order\":\"2\"}"))))
        .allMatch(result -> result instanceof CallResult.InvalidArguments);
    assertThat(results(before(call -> ToolCallInterceptor.Step.withArguments("no JSON"))))
        .allMatch(result -> result instanceof CallResult.InvalidArguments);
    assertThat(executed).hasValue(0);
  }

  @Test
  void arguments_changed_while_the_source_was_replaced_were_authorized_for_the_former_tool() {
    ToolExecutor executor = ToolExecutor.blocking(call -> ToolResult.text(call.tool().domain()));
    ToolRegistry[] registry = new ToolRegistry[1];
    try (ToolRegistry built =
        ToolRegistry.builder()
            .authorizer(caller -> ToolSelection.all())
            .interceptor(
                before(
                    call -> {
                      registry[0].put(orders("new", executor));
                      return ToolCallInterceptor.Step.withArguments("{\"order\":\"SO-2\"}");
                    }))
            .build()) {
      registry[0] = built;
      built.put(orders("former", executor));
      try (ToolSession session = built.session(Tools.ANN).open()) {
        assertThat(session.call(Tools.getOrder()).join().text()).isEqualTo("new");
      }
    }
  }

  private static ToolSource orders(String domain, ToolExecutor executor) {
    return ToolSource.named("orders")
        .naming(Naming.PLAIN)
        .exposure(Exposure.DIRECT)
        .tool(Tools.tool("get_order").domain(domain).build(), executor)
        .build();
  }

  @Test
  void results_are_replaced_the_last_interceptor_first() {
    List<CallResult> results =
        results(
            after(result -> ToolResult.text(result.text() + " first")),
            after(result -> ToolResult.text(result.text() + " second")));
    assertThat(results)
        .allMatch(result -> result instanceof CallResult.Completed)
        .allMatch(result -> result.text().equals("done second first"));
  }

  @Test
  void a_result_that_could_not_be_seen_is_withheld() {
    for (ToolCallInterceptor broken :
        List.of(
            after(
                result -> {
                  throw new IllegalStateException("broken");
                }),
            after(result -> null))) {
      assertThat(results(broken))
          .allMatch(result -> result instanceof CallResult.Failed)
          .noneMatch(result -> result.text().contains("done"));
    }
    assertThat(executed).hasValue(4);
  }
}
