package dev.toolcrib.benchmarks.render;

import dev.toolcrib.Target;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The array of tools of one request, as the bytes that go into it. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RenderBenchmark {

  @Param("synthetic")
  public String catalogue;

  @Param("20")
  public int active;

  private RenderFixture fixture;

  @Setup
  public void setUp() {
    fixture = RenderFixture.of(new RenderFixture.Case(catalogue, active));
  }

  @Benchmark
  public ByteBuffer toolcribUnchanged() {
    return fixture.session.render(Target.OPENAI_CHAT).buffer();
  }

  /** Copied, for a client that wants an array of its own. */
  @Benchmark
  public byte[] toolcribUnchangedCopied() {
    return fixture.session.render(Target.OPENAI_CHAT).bytes();
  }

  @Benchmark
  public byte[] jacksonUnchanged() {
    return fixture.serialize(active);
  }

  /** One tool is activated, and deactivated again for the next operation. */
  @Benchmark
  public ByteBuffer toolcribOneMore() {
    fixture.session.activate(List.of(fixture.more), null);
    ByteBuffer bytes = fixture.session.render(Target.OPENAI_CHAT).buffer();
    fixture.session.rewind(fixture.before);
    return bytes;
  }

  @Benchmark
  public byte[] jacksonOneMore() {
    return fixture.serialize(active + 1);
  }
}
