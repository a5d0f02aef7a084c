package dev.toolcrib.benchmarks.validation;

import dev.toolcrib.benchmarks.harness.Profile;
import dev.toolcrib.benchmarks.harness.Results;
import dev.toolcrib.benchmarks.harness.Rounds;
import dev.toolcrib.benchmarks.harness.Workload;
import java.util.Map;

/**
 * Validation of arguments. That both have the same verdict on every object of arguments is what the
 * fixture picks them by.
 */
public final class ValidationWorkload implements Workload {

  @Override
  public String name() {
    return "validation";
  }

  @Override
  public void run(Profile profile, Results results) throws Exception {
    for (String catalogue : profile.catalogues()) {
      new Rounds(profile, results)
          .run(
              name(),
              ValidationBenchmark.class,
              Map.of("catalogue", catalogue),
              "toolcribValid",
              "networkntValid",
              "toolcribCallValid",
              "toolcribInvalid",
              "networkntInvalid",
              "toolcribCompile",
              "networkntCompile");
    }
    ValidationFixture.free();
  }
}
