package dev.toolcrib.benchmarks.script;

import dev.toolcrib.benchmarks.harness.Profile;
import dev.toolcrib.benchmarks.harness.Results;
import dev.toolcrib.benchmarks.harness.Rounds;
import dev.toolcrib.benchmarks.harness.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;

/** Scripts in Toolcrib's sandbox and in GraalJS. */
public final class ScriptWorkload implements Workload {

  private static final List<String> PROGRAMS = List.of("empty", "call", "parallel", "filter");

  @Override
  public String name() {
    return "script";
  }

  @Override
  public void run(Profile profile, Results results) throws Exception {
    try (ToolcribScripts toolcrib = new ToolcribScripts();
        GraalScripts graal = new GraalScripts()) {
      for (String program : PROGRAMS) {
        String code = Programs.CODE.get(program);
        String ours = toolcrib.run(code);
        String theirs = graal.run(code);
        Workload.require(ours.equals(theirs), () -> program + ": " + ours + " and " + theirs);
      }
    }
    for (String program : PROGRAMS) {
      new Rounds(profile, results)
          .run(name(), ScriptBenchmark.class, Map.of("program", program), "toolcrib", "graalJs");
    }
    try (ToolcribScripts toolcrib = new ToolcribScripts();
        GraalScripts graal = new GraalScripts()) {
      List<Double> ours = new ArrayList<>();
      List<Double> theirs = new ArrayList<>();
      for (int round = 0; round < Math.min(3, profile.rounds()); round++) {
        ours.add(perSecond(toolcrib, profile.loadMillis()));
        theirs.add(perSecond(graal, profile.loadMillis()));
      }
      results.figures(name(), "perSecond", Map.of("engine", "toolcrib"), Map.of("empty", ours));
      results.figures(name(), "perSecond", Map.of("engine", "graalJs"), Map.of("empty", theirs));
    }
  }

  /** How many empty scripts end in a second, with as many threads that ask as there are cores. */
  private static double perSecond(ScriptEngines engines, int millis) throws Exception {
    int threads = Runtime.getRuntime().availableProcessors();
    ExecutorService asking = Executors.newFixedThreadPool(threads);
    LongAdder ended = new LongAdder();
    long start = System.nanoTime();
    long end = start + millis * 1_000_000L;
    List<Future<?>> all = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      all.add(
          asking.submit(
              () -> {
                while (System.nanoTime() < end) {
                  engines.run("");
                  ended.increment();
                }
                return null;
              }));
    }
    for (Future<?> one : all) {
      one.get();
    }
    asking.shutdown();
    return ended.sum() * 1e9 / (System.nanoTime() - start);
  }
}
