package dev.toolcrib.benchmarks.validation;

import com.networknt.schema.SchemaRegistry;
import dev.toolcrib.Internals;
import dev.toolcrib.benchmarks.data.Json;
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

/**
 * The arguments of one call, from text to a verdict with all that is wrong. Toolcrib finds the tool
 * as well, and those called "Call" also ask the authorizer and execute a tool that does nothing, on
 * the calling thread.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(ValidationBenchmark.CALLS)
public class ValidationBenchmark {

  /** Calls of one invocation. */
  public static final int CALLS = ValidationFixture.TOOLS;

  @Param("synthetic")
  public String catalogue;

  private ValidationFixture fixture;

  @Setup
  public void setUp() {
    fixture = ValidationFixture.of(catalogue);
  }

  @Benchmark
  public void toolcribValid(Blackhole blackhole) {
    for (ValidationFixture.Sample sample : fixture.samples) {
      blackhole.consume(
          Internals.prepare(
              fixture.session, ValidationFixture.request(sample.name(), sample.valid())));
    }
  }

  @Benchmark
  public void toolcribCallValid(Blackhole blackhole) {
    for (ValidationFixture.Sample sample : fixture.samples) {
      blackhole.consume(
          fixture.session.call(ValidationFixture.request(sample.name(), sample.valid())).join());
    }
  }

  @Benchmark
  public void networkntValid(Blackhole blackhole) {
    for (ValidationFixture.Sample sample : fixture.samples) {
      blackhole.consume(sample.schema().validate(Json.MAPPER.readTree(sample.valid())));
    }
  }

  @Benchmark
  public void toolcribInvalid(Blackhole blackhole) {
    for (ValidationFixture.Sample sample : fixture.samples) {
      blackhole.consume(
          Internals.prepare(
              fixture.session, ValidationFixture.request(sample.name(), sample.invalid())));
    }
  }

  @Benchmark
  public void networkntInvalid(Blackhole blackhole) {
    for (ValidationFixture.Sample sample : fixture.samples) {
      blackhole.consume(sample.schema().validate(Json.MAPPER.readTree(sample.invalid())));
    }
  }

  /** The validator of each tool has been forgotten and is compiled again. */
  @Benchmark
  public void toolcribCompile(Blackhole blackhole) {
    for (ValidationFixture.Sample sample : fixture.samples) {
      blackhole.consume(
          Internals.prepare(
              fixture.forgetful, ValidationFixture.request(sample.name(), sample.valid())));
    }
  }

  /** The schema is read and compiled again; it is compiled no sooner than it is used. */
  @Benchmark
  public void networkntCompile(Blackhole blackhole) {
    SchemaRegistry registry = ValidationFixture.registry();
    for (ValidationFixture.Sample sample : fixture.samples) {
      blackhole.consume(
          registry
              .getSchema(Json.MAPPER.readTree(sample.schemaText()))
              .validate(Json.MAPPER.readTree(sample.valid())));
    }
  }
}
