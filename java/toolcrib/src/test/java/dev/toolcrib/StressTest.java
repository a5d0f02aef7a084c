package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Everything at once, from many threads: sources are published and removed, sessions opened,
 * searched, rendered, called, stored, restored, forked, rewound and closed, registries closed under
 * all of them. Whatever the order, no caller meets a tool of another tenant, no call is left
 * without an end, and nothing is thrown but that something is closed.
 *
 * <p>{@code -Dstress.steps=100000} makes it longer, {@code -Dstress.seed} repeats what each thread
 * does, though not when.
 */
@SuppressWarnings("try") // Sessions are closed early on purpose.
class StressTest {

  private static final List<String> TENANTS = List.of("acme", "globex");
  private static final int SOURCES = 6;

  private final long seed = Long.getLong("stress.seed", ThreadLocalRandom.current().nextLong());
  private final int steps = Integer.getInteger("stress.steps", 60);
  private final ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();
  private final AtomicReference<ToolRegistry> registry = new AtomicReference<>();
  private final AtomicLong calls = new AtomicLong();
  private final AtomicLong executed = new AtomicLong();

  @ParameterizedTest
  @ValueSource(ints = {16, 64})
  void nothing_breaks_when_everything_happens_at_once(int threads) throws Exception {
    System.out.println("stress: " + threads + " threads, seed " + seed);
    ExecutorService tools = Executors.newFixedThreadPool(4);
    registry.set(open(tools));
    ExecutorService workers = Executors.newFixedThreadPool(threads);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Random random = new Random(seed + i);
      boolean publishes = i % 8 == 0;
      boolean replaces = i == 1;
      running.add(workers.submit(() -> work(random, publishes, replaces, tools)));
    }
    for (Future<?> worker : running) {
      worker.get(300, TimeUnit.SECONDS);
    }
    workers.shutdown();
    assertThat(violations).as("seed %d", seed).isEmpty();
    assertThat(executed.get()).as("seed %d", seed).isPositive().isLessThanOrEqualTo(calls.get());

    try (ToolRegistry last = registry.get()) {
      for (int source = 0; source < SOURCES; source++) {
        last.put(source(source, 3));
      }
      assertThat(last.info().tools()).isEqualTo(3 * SOURCES);
      try (ToolSession session = last.session(Caller.of("acme", "ann")).open()) {
        assertThat(session.state().authorized()).isEqualTo(3 * SOURCES / TENANTS.size());
      }
    }
    tools.shutdown();
    assertThat(tools.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
  }

  private void work(Random random, boolean publishes, boolean replaces, Executor tools) {
    for (int step = 0; step < steps; step++) {
      ToolRegistry current = registry.get();
      try {
        if (replaces && step % 20 == 19) {
          registry.getAndSet(open(tools)).close();
        } else if (publishes) {
          publish(current, random);
        } else {
          converse(current, random);
        }
      } catch (IllegalStateException e) {
        if (!String.valueOf(e.getMessage()).contains("is closed")) {
          violations.add("thrown: " + e);
        }
      } catch (Exception | AssertionError e) {
        violations.add("thrown: " + e);
      }
    }
  }

  private ToolRegistry open(Executor tools) {
    ToolRegistry opened =
        ToolRegistry.builder()
            .authorizer(caller -> ToolSelection.tags(caller.tenant()))
            .executor(tools)
            .build();
    opened.put(source(0, 2));
    opened.put(source(1, 2));
    return opened;
  }

  private void publish(ToolRegistry current, Random random) {
    int source = random.nextInt(SOURCES);
    if (random.nextInt(3) == 0) {
      current.remove("source" + source);
    } else {
      current.put(source(source, 1 + random.nextInt(6)));
    }
    if (current.info().tools() > 6 * SOURCES) {
      violations.add("more tools than were published");
    }
  }

  /** A source of one tenant, by its number. */
  private ToolSource source(int number, int tools) {
    String tenant = TENANTS.get(number % TENANTS.size());
    ToolSource.Builder source =
        ToolSource.named("source" + number)
            .naming(Naming.PLAIN)
            .tags(tenant)
            .exposure(number < 2 ? Exposure.DIRECT : Exposure.DEFERRED);
    for (int i = 0; i < tools; i++) {
      source.tool(
          ToolDefinition.named(tenant + "_order_" + number + "_" + i)
              .description("Finds the order of " + tenant)
              .build(),
          call -> execute(tenant, call));
    }
    return source.build();
  }

  /** Ends in every way that a tool can, and refuses to be reached by another tenant. */
  private CompletableFuture<ToolResult> execute(String tenant, ToolCall call) throws Exception {
    long end = executed.incrementAndGet() % 4;
    if (!call.caller().tenant().equals(tenant)) {
      violations.add(call.caller() + " reached a tool of " + tenant);
    }
    return switch ((int) end) {
      case 0 -> throw new java.io.IOException("no connection");
      case 1 -> CompletableFuture.failedFuture(new IllegalArgumentException("no such order"));
      case 2 -> CompletableFuture.supplyAsync(() -> ToolResult.text("later"));
      default -> CompletableFuture.completedFuture(ToolResult.text("done"));
    };
  }

  private void converse(ToolRegistry current, Random random) throws Exception {
    String tenant = TENANTS.get(random.nextInt(TENANTS.size()));
    Caller caller = Caller.of(tenant, "ann");
    try (ToolSession session = current.session(caller).open()) {
      for (int turn = 0; turn < 4; turn++) {
        Checkpoint before = session.checkpoint();
        for (SearchHit hit : session.search("order of globex or acme").hits()) {
          belongs(tenant, hit.tool().name());
        }
        Target target = Target.values()[random.nextInt(Target.values().length)];
        for (String name : session.render(target).toolNames()) {
          if (!name.equals("tool_search")) {
            belongs(tenant, name);
          }
        }
        call(session, random);
        if (random.nextInt(4) == 0) {
          session.rewind(before);
        }
      }
      try (ToolSession fork = session.fork();
          ToolSession restored = current.session(caller).restore(session.snapshot())) {
        call(fork, random);
        call(restored, random);
      }
      if (random.nextInt(8) == 0) {
        calls.incrementAndGet();
        CompletableFuture<CallResult> pending = session.call(CallRequest.of(anyTool(random), "{}"));
        session.close();
        pending.get(60, TimeUnit.SECONDS);
      }
    }
  }

  private void call(ToolSession session, Random random) throws Exception {
    calls.incrementAndGet();
    CallResult result =
        session.call(CallRequest.of(anyTool(random), "{}")).get(60, TimeUnit.SECONDS);
    if (result.text().isEmpty()) {
      violations.add("a result without words: " + result);
    }
  }

  private static String anyTool(Random random) {
    int source = random.nextInt(SOURCES);
    String tenant = TENANTS.get(source % TENANTS.size());
    return tenant + "_order_" + source + "_" + random.nextInt(6);
  }

  private void belongs(String tenant, String name) {
    if (!name.startsWith(tenant)) {
      violations.add(tenant + " was shown " + name);
    }
  }
}
