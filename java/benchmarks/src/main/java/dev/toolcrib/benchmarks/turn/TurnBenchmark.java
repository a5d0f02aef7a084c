package dev.toolcrib.benchmarks.turn;

import dev.toolcrib.benchmarks.data.Catalogue;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** A whole turn. What each question finds is active already when it is asked again. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(Catalogue.QUESTIONS)
public class TurnBenchmark {

  @Param("synthetic")
  public String catalogue;

  @Param("100")
  public int tools;

  private TurnFixture fixture;

  @Setup
  public void setUp() {
    fixture = TurnFixture.of(new TurnFixture.Case(catalogue, tools));
  }

  @Benchmark
  public void toolcrib(Blackhole blackhole) {
    for (String question : fixture.questions) {
      blackhole.consume(fixture.inProcess(question));
    }
  }

  @Benchmark
  public void http(Blackhole blackhole) {
    for (String question : fixture.questions) {
      blackhole.consume(fixture.overHttp(question));
    }
  }
}
