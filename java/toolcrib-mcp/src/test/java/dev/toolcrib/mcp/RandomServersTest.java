package dev.toolcrib.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.CallRequest;
import dev.toolcrib.CallResult;
import dev.toolcrib.ToolSession;
import dev.toolcrib.mcp.FakeServer.Fault;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever servers answer, no call waits beyond its limits, no list is published by half, and those
 * who connect and publish go on. {@code -Dmcp.seed} repeats what each server does, though not when;
 * {@code -Dmcp.servers} makes it more of them.
 */
class RandomServersTest extends McpTest {

  private final long seed = Long.getLong("mcp.seed", ThreadLocalRandom.current().nextLong());
  private final int count = Integer.getInteger("mcp.servers", 150);

  @Test
  void whatever_servers_answer_calls_end_and_lists_are_whole() throws Exception {
    System.out.println("servers: seed " + seed);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    McpSources.Builder builder =
        builder()
            .connectTimeout(Duration.ofSeconds(1))
            .callWait(Duration.ofSeconds(1))
            .maxCallTime(Duration.ofSeconds(1));
    List<RandomServer> servers = new ArrayList<>();
    List<McpServerConfig> configs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      RandomServer server = new RandomServer(seed + i, threads);
      servers.add(server);
      configs.add(
          McpServerConfig.http("s" + i, "http://127.0.0.1:1/").withTimeout(Duration.ofMillis(300)));
      builder.transport("s" + i, server::connect);
    }
    McpSources sources =
        start(builder.servers(configs).transport("good", () -> new MemoryTransport(Fault.NONE)));
    assertThat(sources.await(LONG)).as("seed %d", seed).isEmpty();
    eventually(() -> tools().size() > count / 4);

    List<CompletableFuture<CallResult>> calls = new ArrayList<>();
    List<ToolSession> sessions = new ArrayList<>();
    for (String tool : tools()) {
      ToolSession session = registry.session(ANN).open();
      sessions.add(session);
      calls.add(session.call(CallRequest.of(tool, "{}").allowingInactive()));
    }
    for (CompletableFuture<CallResult> call : calls) {
      assertThat(call.get(60, TimeUnit.SECONDS)).as("seed %d", seed).isNotNull();
    }
    sessions.forEach(ToolSession::close);
    for (int i = 0; i < count; i++) {
      isWhole("s" + i, servers.get(i));
    }

    sources.put(McpServerConfig.http("good", "http://127.0.0.1:1/"));
    eventually(() -> status(sources, "good").state() == McpServerState.CONNECTED);
    assertThat(call("mcp__good__echo", "{\"text\":\"hi\"}").text()).isEqualTo("hi");
    sources.close();
    threads.shutdown();
  }

  private void isWhole(String name, RandomServer server) {
    Set<String> published =
        registry.list(ANN, null, 10_000).tools().stream()
            .filter(entry -> entry.tool().source().equals(name))
            .map(entry -> entry.tool().localName())
            .collect(Collectors.toSet());
    assertThat(server.complete)
        .as("seed %d, server %s: %s", seed, name, published)
        .satisfies(
            complete ->
                assertThat(
                        published.isEmpty()
                            || complete.stream()
                                .anyMatch(
                                    list ->
                                        published.containsAll(list.good())
                                            && list.all().containsAll(published)))
                    .isTrue());
  }

  /** Frames cut short, bytes that are no text, and answers to what was never asked. */
  @Test
  void whatever_a_program_prints_it_fails_alone(@TempDir Path folder) throws Exception {
    System.out.println("programs: seed " + seed);
    List<McpServerConfig> configs = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Random random = new Random(seed + i);
      RandomJson json = new RandomJson(random);
      StringBuilder printed = new StringBuilder();
      for (int line = 0; line < 50; line++) {
        String frame =
            "{\"jsonrpc\":\"2.0\",\"id\":\"t%d\",\"result\":{\"protocolVersion\":\"2025-06-18\",\"tools\":[]}}"
                .formatted(random.nextInt(4));
        printed.append(json.chance(30) ? frame : json.damaged(frame)).append('\n');
      }
      byte[] bytes = printed.toString().getBytes(StandardCharsets.UTF_8);
      for (int damage = 0; damage < 20; damage++) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      Path file = Files.write(folder.resolve("printed" + i), bytes);
      // What is said to it afterwards comes back as if it were the server's own.
      configs.add(McpServerConfig.stdio("p" + i, "cat", file.toString(), "-"));
    }
    McpSources sources =
        start(
            builder()
                .connectTimeout(Duration.ofSeconds(2))
                .servers(configs)
                .transport("good", () -> new MemoryTransport(Fault.NONE)));
    assertThat(sources.await(LONG)).as("seed %d", seed).isEmpty();
    sources.put(McpServerConfig.http("good", "http://127.0.0.1:1/"));
    eventually(() -> status(sources, "good").state() == McpServerState.CONNECTED);
    assertThat(call("mcp__good__echo", "{\"text\":\"hi\"}").text()).isEqualTo("hi");
  }
}
