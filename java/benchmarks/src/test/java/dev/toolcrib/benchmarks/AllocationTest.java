package dev.toolcrib.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.toolcrib.benchmarks.boundary.BoundaryBenchmark;
import dev.toolcrib.benchmarks.data.Catalogue;
import dev.toolcrib.benchmarks.data.Json;
import dev.toolcrib.benchmarks.render.RenderBenchmark;
import dev.toolcrib.benchmarks.search.SearchBenchmark;
import dev.toolcrib.benchmarks.session.SessionBenchmark;
import dev.toolcrib.benchmarks.turn.TurnBenchmark;
import dev.toolcrib.benchmarks.validation.ValidationBenchmark;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.infra.Blackhole;
import tools.jackson.core.type.TypeReference;

/**
 * Holds the bytes of Java heap that Toolcrib allocates for an operation. They are the same on a
 * busy machine; in this module tests run without the optimizing compiler, which would take some of
 * them away sooner or later. {@code -Dbytes.record=true} writes today's figures down.
 */
class AllocationTest {

  private static final double TOLERANCE = 0.05;
  private static final int SLACK_BYTES = 32;
  private static final int WARMUP = 300;
  private static final int MEASURED = 200;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void operationsAllocateWhatTheyDid() throws IOException {
    Map<String, Long> bytes = measure();
    if (Boolean.getBoolean("bytes.record")) {
      Path file = Path.of(System.getProperty("basedir"), "src/test/resources/bytes.json");
      Files.createDirectories(file.getParent());
      Files.writeString(
          file, Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(bytes) + "\n");
      return;
    }

    Map<String, Long> recorded = recorded();

    assertThat(bytes).containsOnlyKeys(recorded.keySet());
    bytes.forEach(
        (operation, now) -> {
          long before = recorded.get(operation);
          assertThat(now)
              .as("bytes of %s, %d when recorded", operation, before)
              .isBetween(
                  (long) (before * (1 - TOLERANCE)) - SLACK_BYTES,
                  (long) (before * (1 + TOLERANCE)) + SLACK_BYTES);
        });
  }

  private static Map<String, Long> measure() {
    Blackhole blackhole =
        new Blackhole(
            "Today's password is swordfish. I understand instantiating Blackholes directly is"
                + " dangerous.");
    Map<String, Long> bytes = new LinkedHashMap<>();

    SearchBenchmark search = new SearchBenchmark();
    search.catalogue = "synthetic";
    search.tools = 100;
    search.language = "en";
    search.rights = "all";
    search.setUp();
    bytes.put("search", perOperation(() -> search.toolcrib(blackhole), Catalogue.QUESTIONS));

    SessionBenchmark session = new SessionBenchmark();
    session.catalogue = "synthetic";
    session.tools = 100;
    session.setUp();
    bytes.put("session known", perOperation(session::toolcribKnown, 1));
    bytes.put("session new, one search", perOperation(session::toolcribNewReady, 1));

    RenderBenchmark render = new RenderBenchmark();
    render.catalogue = "synthetic";
    render.active = 20;
    render.setUp();
    bytes.put("render unchanged", perOperation(render::toolcribUnchanged, 1));
    bytes.put("render one more", perOperation(render::toolcribOneMore, 1));

    ValidationBenchmark validation = new ValidationBenchmark();
    validation.catalogue = "synthetic";
    validation.setUp();
    int calls = ValidationBenchmark.CALLS;
    bytes.put("validate", perOperation(() -> validation.toolcribValid(blackhole), calls));
    bytes.put("validate invalid", perOperation(() -> validation.toolcribInvalid(blackhole), calls));
    bytes.put("call", perOperation(() -> validation.toolcribCallValid(blackhole), calls));

    TurnBenchmark turn = new TurnBenchmark();
    turn.catalogue = "synthetic";
    turn.tools = 100;
    turn.setUp();
    bytes.put("turn", perOperation(() -> turn.toolcrib(blackhole), Catalogue.QUESTIONS));

    BoundaryBenchmark boundary = new BoundaryBenchmark();
    boundary.bytes = 4_096;
    boundary.setUp();
    bytes.put("echo of 4 KiB", perOperation(boundary::echo, 1));
    boundary.tearDown();
    return bytes;
  }

  private static long perOperation(Runnable invocation, int operations) {
    for (int i = 0; i < WARMUP; i++) {
      invocation.run();
    }
    long before = THREADS.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < MEASURED; i++) {
      invocation.run();
    }
    long after = THREADS.getCurrentThreadAllocatedBytes();
    return (after - before) / MEASURED / operations;
  }

  private static Map<String, Long> recorded() throws IOException {
    try (InputStream in = AllocationTest.class.getResourceAsStream("/bytes.json")) {
      return Json.MAPPER.readValue(in, new TypeReference<Map<String, Long>>() {});
    }
  }
}
