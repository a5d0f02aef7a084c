package dev.toolcrib.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.CallRequest;
import dev.toolcrib.CallResult;
import dev.toolcrib.Caller;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSession;
import dev.toolcrib.mcp.FakeServer.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;

/** What tests of servers as sources share: a registry whose callers may use all. */
abstract class McpTest {

  static final Caller ANN = Caller.of("acme", "ann");
  static final Duration LONG = Duration.ofSeconds(60);

  final ToolRegistry registry =
      ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build();
  private final List<McpSources> started = new java.util.ArrayList<>();

  @AfterEach
  void closeAll() {
    started.forEach(McpSources::close);
    registry.close();
  }

  McpSources.Builder builder() {
    return McpSources.builder(registry)
        .connectTimeout(Duration.ofSeconds(20))
        .refreshDelay(Duration.ofMillis(20))
        .retry(Duration.ofMillis(50), Duration.ofMillis(500));
  }

  /** Starts and sees to the end of it. */
  McpSources start(McpSources.Builder builder) {
    McpSources sources = builder.start();
    started.add(sources);
    return sources;
  }

  /** A server that is the fake one as a program. */
  static McpServerConfig program(String name, Fault fault) {
    return McpServerConfig.stdio(
        name,
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-cp",
        System.getProperty("java.class.path"),
        FakeServer.class.getName(),
        fault.name());
  }

  CallResult call(String tool, String arguments) throws Exception {
    try (ToolSession session = registry.session(ANN).open()) {
      return session
          .call(CallRequest.of(tool, arguments).allowingInactive())
          .get(60, TimeUnit.SECONDS);
    }
  }

  static McpServerStatus status(McpSources sources, String name) {
    return sources.status().stream().filter(s -> s.name().equals(name)).findFirst().orElseThrow();
  }

  List<String> tools() {
    return registry.list(ANN, null, 1_000).tools().stream().map(e -> e.tool().name()).toList();
  }

  /** Waits for what comes by itself; fails when it does not come within a minute. */
  static void eventually(BooleanSupplier condition) {
    Instant end = Instant.now().plus(LONG);
    while (!condition.getAsBoolean()) {
      assertThat(Instant.now()).as("waited in vain").isBefore(end);
      java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
    }
  }
}
