package dev.toolcrib;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Calls from virtual threads, whose tools all wait for each other: were a carrier held for the
 * length of a tool, there would be too few of them, and nobody would ever come to the end.
 */
final class VirtualThreadProbe {

  private static final int CALLS = 200;
  private static final String FIRST = "SO-0";

  private VirtualThreadProbe() {}

  public static void main(String[] args) throws Exception {
    CountDownLatch waiting = new CountDownLatch(CALLS);
    ToolExecutor waits =
        ToolExecutor.blocking(
            call -> {
              if (call.arguments().contains(FIRST)) {
                return ToolResult.text("done");
              }
              waiting.countDown();
              waiting.await();
              return ToolResult.text("done");
            });
    Path events = Files.createTempFile("pinned", ".jfr");
    try (ToolRegistry registry =
            ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build();
        Recording recording = new Recording()) {
      registry.put(Tools.orders(waits));
      // A thread that waits for the initialization of a class holds its carrier, so do it before.
      converse(registry, "{\"order\":\"" + FIRST + "\"}");
      recording.enable("jdk.VirtualThreadPinned").withoutThreshold();
      recording.start();
      int done = call(registry);
      recording.stop();
      recording.dump(events);
      System.out.println(done + " done, " + pinned(events) + " pinned");
    } finally {
      Files.delete(events);
    }
  }

  private static int call(ToolRegistry registry) throws Exception {
    // By name: the tests are compiled for a JVM that has no virtual threads.
    ExecutorService threads =
        (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    List<Callable<String>> callers = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      callers.add(() -> converse(registry, "{\"order\":\"SO-1\"}"));
    }
    int done = 0;
    for (Future<String> text : threads.invokeAll(callers)) {
      done += text.get().equals("done") ? 1 : 0;
    }
    threads.shutdown();
    return done;
  }

  private static String converse(ToolRegistry registry, String arguments) {
    try (ToolSession session = registry.session(Tools.ANN).open()) {
      session.search("order");
      return session.call(CallRequest.of("get_order", arguments)).join().text();
    }
  }

  private static int pinned(Path events) throws Exception {
    int pinned = 0;
    for (RecordedEvent event : RecordingFile.readAllEvents(events)) {
      if (event.getEventType().getName().equals("jdk.VirtualThreadPinned")) {
        System.out.println(event);
        pinned++;
      }
    }
    return pinned;
  }
}
