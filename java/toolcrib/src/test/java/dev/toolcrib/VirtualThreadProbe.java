package dev.toolcrib;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Calls from virtual threads, whose tools all wait until every one of them was reached: were a
 * carrier held for the length of a tool, there would be too few of them, and that moment would
 * never come. Then all go on waiting while another whole call is made, and a carrier counts as held
 * by a tool if JFR saw it pinned from before that call until after it.
 *
 * <p>Shorter pins are the JVM's own: a thread keeps its carrier for some microseconds where another
 * one is just loading the class that both need.
 */
final class VirtualThreadProbe {

  private static final int CALLS = 200;
  private static final String FIRST = "SO-0";

  private VirtualThreadProbe() {}

  public static void main(String[] args) throws Exception {
    CountDownLatch reached = new CountDownLatch(CALLS);
    CountDownLatch released = new CountDownLatch(1);
    ToolExecutor waits =
        ToolExecutor.blocking(
            call -> {
              if (!call.arguments().contains(FIRST)) {
                reached.countDown();
                released.await();
              }
              return ToolResult.text("done");
            });
    Path events = Files.createTempFile("pinned", ".jfr");
    try (ToolRegistry registry =
            ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build();
        Recording recording = new Recording()) {
      registry.put(Tools.orders(waits));
      // What a call needs is loaded once, by one thread alone.
      converse(registry, FIRST);
      recording.enable("jdk.VirtualThreadPinned").withoutThreshold();
      recording.start();
      List<Future<String>> calls = call(registry);
      if (!reached.await(1, TimeUnit.MINUTES)) {
        System.out.println((CALLS - reached.getCount()) + " calls reached their tool");
        Runtime.getRuntime().halt(1);
      }
      Instant from = Instant.now();
      converse(registry, FIRST);
      Instant to = Instant.now();
      released.countDown();
      int done = 0;
      for (Future<String> text : calls) {
        done += text.get().equals("done") ? 1 : 0;
      }
      recording.stop();
      recording.dump(events);
      System.out.println(done + " done, " + held(events, from, to) + " held a carrier");
    } finally {
      Files.delete(events);
    }
  }

  private static List<Future<String>> call(ToolRegistry registry) throws Exception {
    // By name: the tests are compiled for a JVM that has no virtual threads.
    ExecutorService threads =
        (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    List<Future<String>> calls = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      calls.add(threads.submit(() -> converse(registry, "SO-1")));
    }
    threads.shutdown();
    return calls;
  }

  private static String converse(ToolRegistry registry, String order) {
    try (ToolSession session = registry.session(Tools.ANN).open()) {
      session.search("order");
      String arguments = "{\"order\":\"" + order + "\"}";
      return session.call(CallRequest.of("get_order", arguments)).join().text();
    }
  }

  private static int held(Path events, Instant from, Instant to) throws Exception {
    int held = 0;
    for (RecordedEvent event : RecordingFile.readAllEvents(events)) {
      if (event.getEventType().getName().equals("jdk.VirtualThreadPinned")
          && event.getStartTime().isBefore(from)
          && event.getEndTime().isAfter(to)) {
        System.out.println(event);
        held++;
      }
    }
    return held;
  }
}
