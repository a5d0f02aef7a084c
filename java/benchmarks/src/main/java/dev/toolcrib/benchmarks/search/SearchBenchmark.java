package dev.toolcrib.benchmarks.search;

import dev.toolcrib.benchmarks.data.Catalogue;
import java.util.List;
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

/** One search; all questions are asked in turn, so that a slow engine too meets each of them. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(Catalogue.QUESTIONS)
public class SearchBenchmark {

  @Param("synthetic")
  public String catalogue;

  @Param("100")
  public int tools;

  @Param("en")
  public String language;

  @Param("all")
  public String rights;

  private SearchFixture fixture;
  private List<String> questions;

  @Setup
  public void setUp() {
    fixture = SearchFixture.of(new SearchFixture.Case(catalogue, tools));
    questions = Catalogue.questions(catalogue, language);
  }

  @Benchmark
  public void toolcrib(Blackhole blackhole) {
    ask("toolcrib", blackhole);
  }

  @Benchmark
  public void tunedLucene(Blackhole blackhole) {
    ask("tunedLucene", blackhole);
  }

  @Benchmark
  public void springAiIndex(Blackhole blackhole) {
    ask("springAiIndex", blackhole);
  }

  @Benchmark
  public void langChain4jSimple(Blackhole blackhole) {
    ask("langChain4jSimple", blackhole);
  }

  @Benchmark
  public void scan(Blackhole blackhole) {
    ask("scan", blackhole);
  }

  private void ask(String name, Blackhole blackhole) {
    SearchEngine engine = fixture.engines(rights).get(name);
    for (String question : questions) {
      blackhole.consume(engine.search(question));
    }
  }
}
