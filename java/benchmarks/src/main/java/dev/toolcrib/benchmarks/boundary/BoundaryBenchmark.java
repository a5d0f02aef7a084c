package dev.toolcrib.benchmarks.boundary;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.toolcrib.Internals;
import dev.toolcrib.PublishReport;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSource;
import dev.toolcrib.benchmarks.data.Catalogue;
import dev.toolcrib.benchmarks.data.Crib;
import java.nio.charset.StandardCharsets;
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
import org.slf4j.LoggerFactory;

/** What it costs to cross between Java and native code, whatever is done there. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class BoundaryBenchmark {

  /** Bytes taken over and given back. */
  @Param("100")
  public int bytes;

  private final Logger log = (Logger) LoggerFactory.getLogger("dev.toolcrib.native");
  private byte[] text;
  private ToolRegistry registry;
  private ToolSource source;

  @Setup
  public void setUp() {
    text = "x".repeat(bytes).getBytes(StandardCharsets.US_ASCII);
    registry = ToolRegistry.builder().build();
    source = Crib.source("source", Catalogue.tools("synthetic", 1));
    log.setAdditive(false);
  }

  @TearDown
  public void tearDown() {
    registry.close();
    log.setLevel(null);
    log.setAdditive(true);
  }

  @Benchmark
  public int nothing() {
    return Internals.nothing();
  }

  /** The text is checked to be UTF-8 and copied twice on the native side. */
  @Benchmark
  public byte[] echo() {
    return Internals.echo(text);
  }

  /** The least that Java can do with the same text. */
  @Benchmark
  public byte[] copyInJava() {
    return text.clone();
  }

  /** Publishing a source that is as it was, without telling the log. */
  @Benchmark
  public PublishReport withoutUpcall() {
    log.setLevel(Level.INFO);
    return registry.put(source);
  }

  /** The same, and one event of five fields crosses to the logger, which has no appender. */
  @Benchmark
  public PublishReport withUpcall() {
    log.setLevel(Level.DEBUG);
    return registry.put(source);
  }
}
