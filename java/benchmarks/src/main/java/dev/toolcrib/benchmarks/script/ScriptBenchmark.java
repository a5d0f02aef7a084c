package dev.toolcrib.benchmarks.script;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One script after the other. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ScriptBenchmark {

  /** A key of {@link Programs#CODE}. */
  @Param("empty")
  public String program;

  private String code;
  private ToolcribScripts toolcrib;
  private GraalScripts graal;

  @Setup
  public void setUp() {
    code = Programs.CODE.get(program);
    toolcrib = new ToolcribScripts();
    graal = new GraalScripts();
  }

  @TearDown
  public void tearDown() {
    toolcrib.close();
    graal.close();
  }

  @Benchmark
  public String toolcrib() throws Exception {
    return toolcrib.run(code);
  }

  @Benchmark
  public String graalJs() throws Exception {
    return graal.run(code);
  }
}
