package dev.toolcrib.benchmarks.boundary;

import dev.toolcrib.Internals;
import dev.toolcrib.benchmarks.harness.Profile;
import dev.toolcrib.benchmarks.harness.Results;
import dev.toolcrib.benchmarks.harness.Rounds;
import dev.toolcrib.benchmarks.harness.Workload;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The boundary alone. */
public final class BoundaryWorkload implements Workload {

  private static final List<Integer> BYTES = List.of(100, 4_096, 65_536);

  @Override
  public String name() {
    return "boundary";
  }

  @Override
  public void run(Profile profile, Results results) throws Exception {
    byte[] back = Internals.echo("text".getBytes(StandardCharsets.US_ASCII));
    Workload.require(new String(back, StandardCharsets.US_ASCII).contains("text"), () -> "no echo");
    Rounds rounds = new Rounds(profile, results);
    for (int bytes : BYTES) {
      rounds.run(
          name(),
          BoundaryBenchmark.class,
          Map.of("bytes", Integer.toString(bytes)),
          "echo",
          "copyInJava");
    }
    rounds.run(
        name(),
        BoundaryBenchmark.class,
        Map.of("bytes", "100"),
        "nothing",
        "withoutUpcall",
        "withUpcall");
  }
}
