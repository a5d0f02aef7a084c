package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Closing and changing while many threads are at work. */
class ConcurrencyTest {

  private static final int THREADS = 16;

  @RepeatedTest(5)
  void a_registry_closed_during_calls_ends_each_with_a_result_or_as_closed() throws Exception {
    ToolRegistry registry =
        ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build();
    registry.put(Tools.orders(ToolExecutor.blocking(call -> ToolResult.text("done"))));
    CountDownLatch atWork = new CountDownLatch(THREADS);
    List<Future<Integer>> workers = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    for (int i = 0; i < THREADS; i++) {
      workers.add(threads.submit(() -> callUntilClosed(registry, atWork)));
    }
    atWork.await();
    registry.close();
    for (Future<Integer> worker : workers) {
      assertThat(worker.get(60, TimeUnit.SECONDS)).isPositive();
    }
    threads.shutdown();
  }

  /** Calls until the registry is closed, and gives how many calls had a result. */
  private static int callUntilClosed(ToolRegistry registry, CountDownLatch atWork) {
    int done = 0;
    try (ToolSession session = registry.session(Tools.ANN).open()) {
      while (true) {
        CallResult result = session.call(Tools.getOrder()).join();
        if (result instanceof CallResult.Unavailable) {
          // Prepared before the closing, refused by the registry's executor after it.
          continue;
        }
        assertThat(result.text()).isEqualTo("done");
        session.search("order");
        if (done++ == 0) {
          atWork.countDown();
        }
      }
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageContaining("is closed");
      return done;
    }
  }

  @Test
  void a_call_prepared_with_a_new_source_went_to_what_executed_the_former_one() throws Exception {
    try (ToolRegistry registry =
        ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build()) {
      registry.put(numbered(0));
      ExecutorService thread = Executors.newSingleThreadExecutor();
      Future<?> changing =
          thread.submit(
              () -> {
                for (int number = 1; number <= 3_000; number++) {
                  registry.put(numbered(number));
                }
              });
      try (ToolSession session = registry.session(Tools.ANN).open()) {
        while (!changing.isDone()) {
          assertThat(session.call(CallRequest.of("count", "{}")).join().text()).isEqualTo("fine");
        }
      }
      changing.get();
      thread.shutdown();
    }
  }

  /** A source whose tool has the number in its description and knows it when it is executed. */
  private static ToolSource numbered(int number) {
    return ToolSource.named("numbered")
        .naming(Naming.PLAIN)
        .exposure(Exposure.DIRECT)
        .tool(
            ToolDefinition.named("count").description(String.valueOf(number)).build(),
            ToolExecutor.blocking(
                call -> {
                  int prepared = Integer.parseInt(call.tool().description());
                  return ToolResult.text(
                      prepared <= number ? "fine" : prepared + " went to " + number);
                }))
        .build();
  }

  @Test
  void sources_come_and_go_while_sessions_are_used() throws Exception {
    try (ToolRegistry registry =
        ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build()) {
      ToolSource orders = Tools.orders(ToolExecutor.blocking(call -> ToolResult.text("done")));
      registry.put(orders);
      ExecutorService threads = Executors.newFixedThreadPool(8);
      List<Future<?>> workers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        boolean changes = i < 2;
        workers.add(
            threads.submit(
                () -> {
                  for (int round = 0; round < 300; round++) {
                    if (changes) {
                      registry.remove("orders");
                      registry.put(orders);
                    } else {
                      useSession(registry);
                    }
                  }
                }));
      }
      for (Future<?> worker : workers) {
        worker.get(120, TimeUnit.SECONDS);
      }
      threads.shutdown();
      assertThat(registry.info().tools()).isEqualTo(1);
      try (ToolSession session = registry.session(Tools.ANN).open()) {
        assertThat(session.call(Tools.getOrder()).join().text()).isEqualTo("done");
      }
    }
  }

  private static void useSession(ToolRegistry registry) {
    try (ToolSession session = registry.session(Tools.ANN).open()) {
      CallResult result = session.call(Tools.getOrder()).join();
      assertThat(result)
          .isInstanceOfAny(
              CallResult.Completed.class,
              CallResult.NotFound.class,
              CallResult.NotActive.class,
              CallResult.Unavailable.class);
      session.search("order");
      try (ToolSession fork = session.fork()) {
        assertThat(fork.render(Target.MCP).toolNames()).isSubsetOf("get_order");
      }
      registry.session(Tools.ANN).restore(session.snapshot()).close();
    }
  }

  @Test
  void an_older_answer_of_the_authorizer_never_replaces_a_newer_one() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch withdrawn = new CountDownLatch(1);
    Tools.Rights rights = new Tools.Rights();
    boolean[] slow = new boolean[1];
    ToolAuthorizer authorizer =
        caller -> {
          ToolSelection answer = rights.authorizedTools(caller);
          if (slow[0] && !answer.equals(ToolSelection.none())) {
            asked.countDown();
            awaitUninterrupted(withdrawn);
          }
          return answer;
        };
    try (ToolRegistry registry = ToolRegistry.builder().authorizer(authorizer).build()) {
      registry.put(Tools.orders(ToolExecutor.blocking(call -> ToolResult.text("done"))));
      ToolSession session = registry.session(Tools.ANN).open();
      slow[0] = true;
      Thread older = new Thread(session::refresh);
      older.start();
      asked.await();
      rights.selection.set(ToolSelection.none());
      Thread newer = new Thread(session::refresh);
      newer.start();
      withdrawn.countDown();
      older.join();
      newer.join();
      assertThat(session.state().authorized()).isZero();
      session.close();
    }
  }

  @Test
  void an_authorizer_that_waited_for_another_use_of_its_session_waited_forever() {
    AtomicReference<ToolSession> uses = new AtomicReference<>();
    ToolAuthorizer authorizer =
        caller -> {
          ToolSession session = uses.getAndSet(null);
          if (session != null) {
            CompletableFuture.runAsync(session::refresh).orTimeout(1, TimeUnit.MINUTES).join();
          }
          return ToolSelection.all();
        };
    try (ToolRegistry registry = ToolRegistry.builder().authorizer(authorizer).build()) {
      registry.put(Tools.orders(ToolExecutor.blocking(call -> ToolResult.text("done"))));
      try (ToolSession session = registry.session(Tools.ANN).open()) {
        uses.set(session);
        assertThat(session.call(Tools.getOrder()).join().text()).isEqualTo("done");
      }
    }
  }

  @Test
  void rights_that_change_under_every_question_come_to_an_answer() throws Exception {
    AtomicInteger questions = new AtomicInteger();
    ToolAuthorizer fickle =
        caller -> ToolSelection.names("tool_" + questions.incrementAndGet(), "get_order");
    try (ToolRegistry registry = ToolRegistry.builder().authorizer(fickle).build()) {
      registry.put(Tools.orders(ToolExecutor.blocking(call -> ToolResult.text("done"))));
      ExecutorService threads = Executors.newFixedThreadPool(THREADS);
      try (ToolSession session = registry.session(Tools.ANN).open()) {
        List<Future<String>> calls = new ArrayList<>();
        for (int i = 0; i < 20 * THREADS; i++) {
          calls.add(threads.submit(() -> session.call(Tools.getOrder()).join().text()));
        }
        for (Future<String> call : calls) {
          assertThat(call.get(60, TimeUnit.SECONDS)).isEqualTo("done");
        }
      }
      threads.shutdown();
    }
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
