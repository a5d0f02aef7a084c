package dev.toolcrib.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.benchmarks.harness.Profile;
import dev.toolcrib.benchmarks.harness.Results;
import dev.toolcrib.benchmarks.harness.Workload;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Runs every benchmark once, checks before it included, so that none can rot. */
class SmokeTest {

  static final List<Workload> WORKLOADS = Benchmarks.WORKLOADS;

  @ParameterizedTest
  @FieldSource("WORKLOADS")
  void workloadRuns(Workload workload) throws Exception {
    Results results = new Results();

    workload.run(Profile.SMOKE, results);

    assertThat(results.rows())
        .isNotEmpty()
        .allSatisfy(row -> assertThat(row).containsEntry("workload", workload.name()));
    assertThat(results.rows())
        .allMatch(row -> row.containsKey("nanos") || row.containsKey("figures"));
  }
}
