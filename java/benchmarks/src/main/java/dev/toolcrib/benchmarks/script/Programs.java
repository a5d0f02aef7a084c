package dev.toolcrib.benchmarks.script;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The scripts that both engines run, word for word, and the tools that they call. */
final class Programs {

  /** By name; each is the body of an async function. */
  static final Map<String, String> CODE =
      Map.of(
          "empty", "",
          "call", "return (await tools.echo({a: 1})).structuredContent;",
          "parallel",
              """
              const all = await Promise.all([...Array(20).keys()].map(n => tools.slow({n})));
              return all.map(r => r.structuredContent.n);
              """,
          "filter",
              """
              const r = await tools.rows({});
              return r.structuredContent.rows.filter(row => row.id % 1000 === 0);
              """);

  private static final int SLOW_MILLIS = 5;
  private static final int ROWS = 22_000;

  private static final String LARGE =
      IntStream.range(0, ROWS)
          .mapToObj("{\"id\":%d,\"name\":\"row number %<d of many\"}"::formatted)
          .collect(Collectors.joining(",", "{\"rows\":[", "]}"));

  private static final ScheduledExecutorService TIMER =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "timer of slow tools");
            thread.setDaemon(true);
            return thread;
          });

  private Programs() {}

  /**
   * What a tool answers.
   *
   * @param tool echo, slow (the same after 5 ms) or rows (a megabyte)
   * @param arguments JSON
   * @return completes with JSON
   */
  static CompletionStage<String> answer(String tool, String arguments) {
    if (tool.equals("rows")) {
      return CompletableFuture.completedFuture(LARGE);
    }
    CompletableFuture<String> answer = new CompletableFuture<>();
    if (tool.equals("slow")) {
      var unused =
          TIMER.schedule(() -> answer.complete(arguments), SLOW_MILLIS, TimeUnit.MILLISECONDS);
    } else {
      answer.complete(arguments);
    }
    return answer;
  }
}
