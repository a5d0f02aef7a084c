package dev.toolcrib;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * {@code LeakProbe ROUNDS SESSIONS}: lives through that many sessions in each round, and prints by
 * how many bytes the heap and the rest of the process grew from round to round, in the median.
 * Needs a heap of fixed size that is there from the start, or its growth would pass for the other.
 */
final class LeakProbe {

  private static final int PAGE = 4096;

  /** Rounds that are not counted: the JVM still compiles and loads then. */
  private static final int WARM_UP = 5;

  private LeakProbe() {}

  public static void main(String[] args) throws Exception {
    int rounds = Integer.parseInt(args[0]);
    int sessions = Integer.parseInt(args[1]);
    long[] heap = new long[rounds];
    long[] process = new long[rounds];
    for (int i = 0; i < WARM_UP; i++) {
      live(sessions);
    }
    for (int round = 0; round < rounds; round++) {
      live(sessions);
      for (int i = 0; i < 3; i++) {
        System.gc();
      }
      heap[round] = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      process[round] = residentBytes();
    }
    System.out.printf(
        "heap %d native %d resident %d%n",
        medianDelta(heap), medianDelta(process), process[rounds - 1]);
  }

  /** A tenth of the sessions have a registry of their own. */
  private static void live(int sessions) {
    for (int i = 0; i < sessions; i += 10) {
      try (ToolRegistry registry =
          ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build()) {
        registry.put(Tools.orders(ToolExecutor.blocking(call -> ToolResult.text("done"))));
        for (int j = 0; j < 10; j++) {
          converse(registry, i + j);
        }
      }
    }
  }

  private static void converse(ToolRegistry registry, int turn) {
    try (ToolSession session = registry.session(Tools.ANN).open()) {
      session.search("order");
      session.render(Target.values()[turn % Target.values().length]);
      session.call(Tools.getOrder()).join();
      session.call(CallRequest.of("get_order", "{\"order\":1}")).join();
      session.call(CallRequest.of("none", "{}")).join();
      try (ToolSession restored = registry.session(Tools.ANN).restore(session.snapshot())) {
        restored.state();
      }
    }
  }

  private static long medianDelta(long[] values) {
    long[] deltas = new long[values.length - 1];
    for (int i = 0; i < deltas.length; i++) {
      deltas[i] = values[i + 1] - values[i];
    }
    Arrays.sort(deltas);
    return deltas[deltas.length / 2];
  }

  private static long residentBytes() throws Exception {
    return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[1]) * PAGE;
  }
}
