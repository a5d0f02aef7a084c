package dev.toolcrib.benchmarks.session;

import dev.toolcrib.ToolSession;
import dev.toolcrib.benchmarks.data.Rights;
import dev.toolcrib.benchmarks.search.DomainRights;
import dev.toolcrib.benchmarks.search.SearchEngine;
import dev.toolcrib.benchmarks.search.SessionLuceneIndex;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A session opens for a caller who may use half of the tools, and ends. Those called "Ready" search
 * once as well, since some put off work until then; all start with the same question.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SessionBenchmark {

  @Param("synthetic")
  public String catalogue;

  @Param("100")
  public int tools;

  private SessionFixture fixture;
  private Rights known;
  private DomainRights knownToLucene;
  private String question;

  @Setup
  public void setUp() {
    fixture = SessionFixture.of(new SessionFixture.Case(catalogue, tools));
    known = Rights.half(0);
    knownToLucene = new DomainRights(known.domains());
    question = fixture.questions.get(0);
  }

  /** The rights are those of another open session or were seen lately. */
  @Benchmark
  public void toolcribKnown() {
    fixture.open(known).close();
  }

  @Benchmark
  public Object toolcribKnownReady() {
    try (ToolSession session = fixture.open(known)) {
      return session.search(question);
    }
  }

  /** Nobody had exactly these rights before. */
  @Benchmark
  public Object toolcribNewReady() {
    try (ToolSession session = fixture.open(fixture.newRights())) {
      return session.search(question);
    }
  }

  /** One shared index, and the bit set of rights that were seen before. */
  @Benchmark
  public Object luceneKnownReady() {
    return fixture.lucene.search(question, knownToLucene, SearchEngine.HITS);
  }

  /** One shared index, and a new bit set. */
  @Benchmark
  public Object luceneNewReady() {
    DomainRights rights = new DomainRights(fixture.newRights().domains());
    return fixture.lucene.search(question, rights, SearchEngine.HITS);
  }

  /** An index for this session alone, whatever is known of its rights. */
  @Benchmark
  public Object springAiIndexReady() {
    try (SessionLuceneIndex index = fixture.index(known)) {
      return index.search(question);
    }
  }
}
