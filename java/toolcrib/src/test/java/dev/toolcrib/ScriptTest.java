package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What scripts can do in a session, and what they cannot. */
class ScriptTest {

  private final Tools.Rights rights = new Tools.Rights();
  private final List<HandledCall> heard = Collections.synchronizedList(new ArrayList<>());
  private final List<ToolCall> executed = Collections.synchronizedList(new ArrayList<>());
  private ToolRegistry registry = registry(ToolRegistry.builder().codemode(true));

  private ToolRegistry registry(ToolRegistry.Builder builder) {
    ToolRegistry made = builder.authorizer(rights).build();
    ToolExecutor echo =
        ToolExecutor.blocking(
            call -> {
              executed.add(call);
              return ToolResult.json(call.arguments());
            });
    made.put(
        ToolSource.named("shop")
            .naming(Naming.PLAIN)
            .description("Orders of the shop")
            .tool(Tools.tool("get_order").build(), echo)
            .tool(Tools.tool("cancel_order").build(), echo)
            .tool(Tools.tool("hidden_order").exposure(Exposure.HIDDEN).build(), echo)
            .tool(
                ToolDefinition.named("fail").description("Fails").build(),
                ToolExecutor.blocking(call -> ToolResult.error("out of stock")))
            .tool(
                ToolDefinition.named("never").description("Never answers").build(),
                call -> new CompletableFuture<>())
            .build());
    return made;
  }

  @AfterEach
  void close() {
    registry.close();
  }

  private ToolSession session() {
    return registry.session(Tools.ANN).id("talk").listener(heard::add).open();
  }

  private static ScriptResult run(ToolSession session, String code) {
    return session.runScript(code, ScriptOptions.withCallId("s")).toCompletableFuture().join();
  }

  @Test
  void a_script_calls_tools_through_the_pipeline_of_the_session() {
    try (ToolSession session = session()) {
      ScriptResult result =
          run(
              session,
              """
              const made = await Promise.all(['SO-1', 'SO-2'].map(order => tools.get_order({order})));
              return made.map(r => r.structuredContent.order);
              """);
      assertThat(result.failure()).isNull();
      assertThat(result.value()).isEqualTo("[\"SO-1\",\"SO-2\"]");
      assertThat(result.text()).contains("completed", "2 tool calls", "[\"SO-1\",\"SO-2\"]");
      assertThat(executed).extracting(ToolCall::callId).containsExactlyInAnyOrder("s/1", "s/2");
      assertThat(executed).allMatch(call -> "s".equals(call.parentCallId()));
      assertThat(executed).allMatch(call -> call.caller().equals(Tools.ANN));
      assertThat(heard)
          .extracting(HandledCall::callId)
          .containsExactlyInAnyOrder("s/1", "s/2", "s");
      assertThat(heard).extracting(HandledCall::parentCallId).containsOnly("s", null);
    }
  }

  @Test
  void the_model_runs_a_script_by_calling_codemode() {
    try (ToolSession session = session()) {
      assertThat(session.render(Target.OPENAI_CHAT).toolNames()).containsExactly("codemode");
      CallResult result =
          session
              .call(
                  CallRequest.of(
                          "codemode",
                          "{\"code\": \"return await tools.get_order({order: 'SO-7'})\"}")
                      .withTarget(Target.OPENAI_CHAT)
                      .withCallId("c1"))
              .join();
      assertThat(result).isInstanceOf(CallResult.Scripted.class);
      assertThat(result.isError()).isFalse();
      assertThat(result.text()).contains("SO-7");
      assertThat(heard).extracting(HandledCall::callId).containsExactly("c1/1", "c1");
      assertThat(session.call(CallRequest.of("codemode", "{}")).join())
          .isInstanceOf(CallResult.InvalidArguments.class);
    }
  }

  @Test
  void codemode_is_there_only_for_who_may_use_a_tool_that_scripts_reach() {
    rights.selection.set(ToolSelection.none());
    try (ToolSession session = session()) {
      assertThat(session.render(Target.MCP).toolNames()).doesNotContain("codemode");
      assertThat(session.call(CallRequest.of("codemode", "{\"code\":\"\"}")).join())
          .isInstanceOf(CallResult.NotFound.class);
      rights.selection.set(ToolSelection.all());
      assertThat(session.render(Target.OPENAI_CHAT).toolNames()).contains("codemode");
    }
    registry.close();
    registry = registry(ToolRegistry.builder());
    try (ToolSession session = session()) {
      assertThat(session.render(Target.OPENAI_CHAT).toolNames()).containsExactly("tool_search");
    }
    try (ToolSession session = registry.session(Tools.ANN).codemode(true).open();
        ToolSession restored =
            registry.session(Tools.ANN).codemode(false).restore(session.snapshot())) {
      assertThat(session.render(Target.OPENAI_CHAT).toolNames()).containsExactly("codemode");
      assertThat(restored.render(Target.OPENAI_CHAT).toolNames()).containsExactly("tool_search");
    }
  }

  @Test
  void a_right_withdrawn_between_two_calls_of_one_script_refuses_the_second() {
    registry.put(
        ToolSource.named("rights")
            .naming(Naming.PLAIN)
            .tool(
                ToolDefinition.named("withdraw").description("Withdraws").build(),
                ToolExecutor.blocking(
                    call -> {
                      rights.selection.set(ToolSelection.names("withdraw"));
                      return ToolResult.text("done");
                    }))
            .build());
    try (ToolSession session = session()) {
      ScriptResult result =
          run(
              session,
              """
              const seen = [await tools.get_order({order: 'SO-1'}).then(() => 'called')];
              const again = tools.get_order;
              await tools.withdraw({});
              for (const call of [() => again({order: 'SO-1'}), () => tools.cancel_order({order: 'SO-1'})])
                try { await call(); seen.push('called'); } catch (e) { seen.push(e.kind ?? e.name); }
              seen.push(JSON.stringify(await searchTools('get the order cancel')));
              try { await describeTool('get_order') } catch (e) { seen.push(e.message.includes('cancel_order')) }
              try { await describeNamespace('shop') } catch (e) { seen.push(e.message.includes('shop"')) }
              seen.push(ALL_TOOLS.map(t => t.name).join());
              return seen;
              """);
      assertThat(result.failure()).isNull();
      assertThat(result.value())
          .isEqualTo("[\"called\",\"not_found\",\"TypeError\",\"[]\",false,true,\"withdraw\"]");
      assertThat(executed).hasSize(1);
    }
  }

  @Test
  void a_lookup_whose_rights_could_not_be_asked_went_on_with_the_last_ones() {
    registry.close();
    AtomicBoolean full = new AtomicBoolean();
    registry =
        registry(
            ToolRegistry.builder()
                .executor(
                    work -> {
                      if (full.get()) {
                        throw new RejectedExecutionException("no thread is free");
                      }
                      ForkJoinPool.commonPool().execute(work);
                    }));
    registry.put(
        ToolSource.named("rights")
            .naming(Naming.PLAIN)
            .tool(
                ToolDefinition.named("lose").description("Takes all threads").build(),
                ToolExecutor.blocking(
                    call -> {
                      full.set(true);
                      return ToolResult.text("done");
                    }))
            .build());
    try (ToolSession session = session()) {
      ScriptResult result =
          run(
              session,
              """
              const seen = [(await searchTools('order')).length > 0];
              await tools.lose({});
              for (const lookup of [() => searchTools('order'), () => describeTool('get_order'), () => describeNamespace('shop')])
                try { await lookup(); seen.push('told'); } catch (e) { seen.push(e.kind); }
              return seen;
              """);
      assertThat(result.failure()).isNull();
      assertThat(result.value())
          .isEqualTo("[true,\"unavailable\",\"unavailable\",\"unavailable\"]");
    }
  }

  @Test
  void what_the_caller_may_not_know_is_not_told() {
    rights.selection.set(ToolSelection.names("get_order"));
    try (ToolSession session = session()) {
      ScriptResult result =
          run(
              session,
              """
              const told = [ALL_TOOLS, Object.keys(tools), await searchTools('order cancel hidden', {limit: 20})];
              for (const name of ['cancel_orde', 'hidden_order', 'codemode', 'tool_search'])
                try { told.push(tools[name]) } catch (e) { told.push(e.message.replaceAll(name, '')) }
              return told;
              """);
      assertThat(result.failure()).isNull();
      assertThat(result.value()).contains("get_order");
      assertThat(result.value()).doesNotContain("cancel_order", "hidden", "function");
    }
  }

  @Test
  void failures_refusals_and_wrong_arguments_reach_the_script_as_errors() {
    try (ToolSession session =
        registry
            .session(Tools.ANN)
            .authorizer(
                new ToolAuthorizer() {
                  @Override
                  public ToolSelection authorizedTools(Caller caller) {
                    return ToolSelection.all();
                  }

                  @Override
                  public Decision authorize(ToolCall call) {
                    return call.arguments().contains("SO-9")
                        ? Decision.deny("not that one")
                        : Decision.permit();
                  }
                })
            .open()) {
      ScriptResult result =
          run(
              session,
              """
              const said = [];
              for (const call of [() => tools.fail(), () => tools.get_order({order: 'SO-9'}), () => tools.get_order({order: 9})])
                try { await call() } catch (e) { said.push(e.kind, e.message.split('\\n')[0], e.result.isError) }
              return said;
              """);
      assertThat(result.value())
          .isEqualTo(
              "[\"failed\",\"out of stock\",true,\"refused\",\"not that one\",true,"
                  + "\"invalid_arguments\",\"The arguments of get_order are not valid; nothing was"
                  + " executed. Mend this and call again:\",true]");
      ScriptResult failed =
          run(session, "await tools.get_order({order: 'SO-1'});\nawait tools.fail()");
      assertThat(failed.failure())
          .isEqualTo(
              new ScriptResult.Failure(
                  ScriptResult.Kind.SCRIPT,
                  "ToolError: out of stock, at line 2: await tools.fail()"));
      assertThat(failed.calls())
          .containsExactly(
              new ScriptResult.Call(1, "get_order", ScriptResult.State.COMPLETED),
              new ScriptResult.Call(2, "fail", ScriptResult.State.FAILED));
      assertThat(failed.text()).contains("not undone");
    }
  }

  @Test
  void a_cancelled_script_ends_and_a_closed_session_or_registry_cancels_its_scripts() {
    ToolSession ended = session();
    CompletableFuture<ScriptResult> cancelled =
        ended.runScript("await tools.never({})", ScriptOptions.defaults()).toCompletableFuture();
    cancelled.cancel(false);
    CompletionStage<ScriptResult> closed =
        ended.runScript("for (;;) await null", ScriptOptions.defaults());
    ended.close();
    assertThat(closed.toCompletableFuture().join().failure().kind())
        .isEqualTo(ScriptResult.Kind.CANCELLED);
    assertThatThrownBy(() -> run(ended, "return 1"))
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(IllegalStateException.class);
    ToolSession session = session();
    List<CompletionStage<ScriptResult>> running =
        IntStream.range(0, 40)
            .mapToObj(n -> session.runScript("await tools.never({})", ScriptOptions.defaults()))
            .toList();
    registry.close();
    for (CompletionStage<ScriptResult> script : running) {
      assertThat(script.toCompletableFuture().join().failure().kind())
          .isEqualTo(ScriptResult.Kind.CANCELLED);
    }
  }

  @Test
  void a_script_is_cancelled_by_its_call_id_whoever_began_it_and_no_other() {
    try (ToolSession session = session()) {
      CompletableFuture<CallResult> ofTheModel =
          session.call(
              CallRequest.of("codemode", "{\"code\":\"text('so far'); await tools.never({})\"}")
                  .withCallId("model"));
      CompletableFuture<ScriptResult> ofTheService =
          session
              .runScript("await tools.never({})", ScriptOptions.withCallId("service"))
              .toCompletableFuture();
      assertThat(session.cancel("nobody's")).isFalse();
      assertThat(session.cancel("model")).isTrue();
      CallResult.Scripted ended = (CallResult.Scripted) ofTheModel.join();
      assertThat(ended.result().failure().kind()).isEqualTo(ScriptResult.Kind.CANCELLED);
      assertThat(ended.isError()).isTrue();
      assertThat(ofTheService).isNotDone();
      session.cancel("service");
      assertThat(ofTheService.join().failure().kind()).isEqualTo(ScriptResult.Kind.CANCELLED);
      assertThat(session.cancel("model")).isFalse();
    }
  }

  @Test
  void where_there_is_no_room_the_service_gets_a_typed_error_and_the_model_a_text() {
    registry.close();
    registry =
        registry(
            ToolRegistry.builder()
                .codemode(true)
                .limit(Limit.SCRIPT_THREADS, 1)
                .limit(Limit.SCRIPT_QUEUE, 0));
    try (ToolSession session = session()) {
      CompletableFuture<ScriptResult> first =
          session
              .runScript("await tools.never({})", ScriptOptions.defaults())
              .toCompletableFuture();
      assertThatThrownBy(() -> run(session, "return 1"))
          .cause()
          .isInstanceOfSatisfying(
              ToolcribException.class, e -> assertThat(e.code()).isEqualTo("scripts_busy"));
      assertThat(session.call(CallRequest.of("codemode", "{\"code\":\"\"}")).join())
          .isInstanceOf(CallResult.Unavailable.class);
      first.cancel(false);
    }
  }

  @Test
  void two_hundred_scripts_at_once_all_come_to_their_end() {
    try (ToolSession session = session()) {
      List<CompletableFuture<ScriptResult>> all =
          IntStream.range(0, 200)
              .mapToObj(
                  n ->
                      session
                          .runScript(
                              "return (await tools.get_order({order: 'SO-%d'})).structuredContent.order"
                                  .formatted(n),
                              ScriptOptions.defaults())
                          .toCompletableFuture())
              .toList();
      for (int n = 0; n < all.size(); n++) {
        assertThat(all.get(n).join().value()).isEqualTo("\"SO-" + n + "\"");
      }
    }
  }

  @Test
  void calls_of_a_sequential_tool_are_made_one_after_the_other() {
    AtomicInteger open = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    ToolExecutor counting =
        ToolExecutor.blocking(
            call -> {
              most.accumulateAndGet(open.incrementAndGet(), Math::max);
              order.add(call.arguments());
              open.decrementAndGet();
              return ToolResult.text("done");
            });
    registry.put(
        ToolSource.named("ledger")
            .naming(Naming.PLAIN)
            .tool(
                ToolDefinition.named("book").description("Books").build(),
                ToolExecutor.oneAfterTheOther(counting))
            .build());
    try (ToolSession session = session()) {
      ScriptResult result =
          run(session, "await Promise.all([...Array(20).keys()].map(n => tools.book({n})))");
      assertThat(result.failure()).isNull();
      assertThat(most).hasValue(1);
      assertThat(order)
          .isEqualTo(IntStream.range(0, 20).mapToObj("{\"n\":%d}"::formatted).toList());
    }
  }

  @Test
  void what_a_script_stores_is_part_of_the_session() {
    byte[] snapshot;
    try (ToolSession session = session()) {
      Checkpoint before = session.checkpoint("turn-1");
      assertThat(run(session, "store('seen', [1, 2])").failure()).isNull();
      Checkpoint after = session.checkpoint("turn-2");
      assertThat(run(session, "store('seen', [3]); store('x', null)").failure()).isNull();
      try (ToolSession fork = session.fork()) {
        assertThat(run(fork, "return load('seen')").value()).isEqualTo("[3]");
      }
      session.rewind(after);
      assertThat(run(session, "return load('seen')").value()).isEqualTo("[1,2]");
      snapshot = session.snapshot();
      session.rewind(before);
      assertThat(run(session, "return load('seen')").value()).isNull();
    }
    try (ToolSession restored = registry.session(Tools.ANN).restore(snapshot)) {
      assertThat(run(restored, "return load('seen')").value()).isEqualTo("[1,2]");
    }
  }

  @Test
  void a_tool_is_found_and_its_declaration_returned() {
    try (ToolSession session = session()) {
      ScriptResult result =
          run(
              session,
              "const [found] = await searchTools('cancel an order', {limit: 1}); return await"
                  + " describeTool(found.name)");
      assertThat(result.output())
          .contains("type CancelOrderInput = {")
          .contains(
              "declare function cancel_order(input: CancelOrderInput):"
                  + " Promise<ToolResult<unknown>>;");
      ScriptResult namespace = run(session, "return await describeNamespace('shop')");
      assertThat(namespace.value())
          .isEqualTo(
              "{\"name\":\"shop\",\"description\":\"Orders of the shop\",\"instructions\":\"\","
                  + "\"tools\":[\"cancel_order\",\"fail\",\"get_order\",\"never\"]}");
    }
  }

  @Test
  void an_executor_that_threw_anything_but_a_rejection_lost_the_result_of_the_script() {
    for (Throwable refusal :
        List.of(
            new RejectedExecutionException("full"),
            new IllegalStateException("shut down"),
            new OutOfMemoryError("no thread can be started, let us say"))) {
      registry.close();
      AtomicBoolean refuses = new AtomicBoolean();
      registry =
          registry(
              ToolRegistry.builder()
                  .executor(
                      work -> {
                        if (refuses.get()) {
                          Tools.sneak(refusal);
                        }
                        new Thread(work).start();
                      }));
      try (ToolSession session = session()) {
        refuses.set(true);
        ScriptResult result = run(session, "await tools.get_order({order: 'SO-1'})");
        assertThat(result.failure().message()).contains("get_order cannot be executed now");
        CallResult called =
            session
                .call(CallRequest.of("get_order", "{\"order\":\"SO-1\"}").allowingInactive())
                .join();
        assertThat(called).isInstanceOf(CallResult.Unavailable.class);
      }
    }
  }
}
