package dev.toolcrib.benchmarks.harness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs JMH benchmarks of one class in this JVM, one iteration of each in turn, round by round. What
 * else the machine does meanwhile then meets all of them, and their ratios stay true.
 */
public final class Rounds {

  /** An iteration that takes so many times its length is not repeated as often. */
  private static final int SLOW = 4;

  private static final int ROUNDS_OF_SLOW = 3;

  /** The first time that a benchmark runs in this JVM its warm-up is so many times longer. */
  private static final int FIRST_WARMUP = 5;

  private static final Set<String> WARM = ConcurrentHashMap.newKeySet();

  private final Profile profile;
  private final Results results;

  /**
   * Starts.
   *
   * @param profile how long and how often
   * @param results where to put what comes out
   */
  public Rounds(Profile profile, Results results) {
    this.profile = profile;
    this.results = results;
  }

  /**
   * Measures.
   *
   * @param workload the workload they belong to
   * @param benchmarks the class
   * @param params the case, values of the class's parameters
   * @param methods names of its benchmarks, in the order in which they take turns
   */
  public void run(
      String workload, Class<?> benchmarks, Map<String, String> params, String... methods)
      throws RunnerException {
    Map<String, Series> series = new LinkedHashMap<>();
    for (String method : methods) {
      boolean first = WARM.add(benchmarks.getName() + '.' + method);
      iteration(benchmarks, method, params, profile.warmupMillis() * (first ? FIRST_WARMUP : 1));
      series.put(method, new Series());
    }
    for (int round = 0; round < profile.rounds(); round++) {
      for (Map.Entry<String, Series> entry : series.entrySet()) {
        if (round < ROUNDS_OF_SLOW || !entry.getValue().slow) {
          long start = System.nanoTime();
          RunResult result = iteration(benchmarks, entry.getKey(), params, 0);
          long millis = (System.nanoTime() - start) / 1_000_000;
          entry.getValue().add(result, millis > (long) SLOW * profile.iterationMillis());
        }
      }
    }
    series.forEach((method, s) -> results.timing(workload, method, params, s.nanos, s.bytes));
  }

  private RunResult iteration(
      Class<?> benchmarks, String method, Map<String, String> params, int warmupMillis)
      throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + benchmarks.getName().replace(".", "\\.") + "\\." + method + "$")
            .forks(0)
            .threads(1)
            .warmupIterations(warmupMillis == 0 ? 0 : 1)
            .warmupTime(TimeValue.milliseconds(Math.max(1, warmupMillis)))
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(profile.iterationMillis()))
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT);
    params.forEach(options::param);
    return new Runner(options.build()).runSingle();
  }

  private static final class Series {
    private final List<Double> nanos = new ArrayList<>();
    private final List<Double> bytes = new ArrayList<>();
    private boolean slow;

    void add(RunResult result, boolean slow) {
      this.slow = slow;
      nanos.add(result.getPrimaryResult().getScore());
      result
          .getSecondaryResults()
          .forEach(
              (name, secondary) -> {
                if (name.endsWith("gc.alloc.rate.norm")) {
                  bytes.add(secondary.getScore());
                }
              });
    }
  }
}
