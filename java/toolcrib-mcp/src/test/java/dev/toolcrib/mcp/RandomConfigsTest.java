package dev.toolcrib.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.mcp.FakeServer.Fault;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/**
 * Whatever stands in an {@code mcp.json}, reading it throws nothing, and what is wrong with one
 * entry is its own affair. {@code -Dmcp.seed} repeats a run, {@code -Dmcp.rounds} makes it longer.
 */
class RandomConfigsTest extends McpTest {

  private static final String GOOD = "{\"command\":\"good\"}";
  private static final Map<String, List<?>> COMMON = new LinkedHashMap<>();
  private static final Map<String, List<?>> STDIO = new LinkedHashMap<>();
  private static final Map<String, List<?>> HTTP = new LinkedHashMap<>();

  static {
    COMMON.put("description", List.of("Files"));
    COMMON.put("exposure", List.of("direct", "codemode", "deferred", "hidden"));
    COMMON.put(
        "toolExposure", List.of(Map.of("a*", "direct"), Map.of("**", "hidden", "", "direct")));
    COMMON.put("domain", List.of("office"));
    COMMON.put("tags", List.of(List.of("a", "b")));
    COMMON.put("enabled", List.of(true));
    COMMON.put("timeout", List.of(1, 2.5, 1e300));
    STDIO.put("args", List.of(List.of(), List.of("-y", "~/data")));
    STDIO.put("env", List.of(Map.of(), Map.of("A", "$B")));
    STDIO.put("cwd", List.of("/tmp", "~"));
    STDIO.put("type", List.of("stdio"));
    HTTP.put("headers", List.of(Map.of("X-Key", "k")));
    HTTP.put("type", List.of("http", "streamable-http", "sse"));
    HTTP.put(
        "oauth",
        List.of(
            Map.of("grant", "authorization_code"),
            Map.of("grant", "client_credentials", "clientId", "c", "issuer", "https://as/")));
  }

  /** An entry that is right, or nearly so. */
  private static String entry(RandomJson random) {
    boolean stdio = random.chance(50);
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put(
        stdio ? "command" : "url",
        random.one(
            stdio
                ? List.of("npx", "~/bin/x")
                : List.of("http://127.0.0.1:1/", "https://h/mcp", "http://h:99999/", "http:///")));
    entry.putAll(random.object(stdio ? STDIO : HTTP));
    entry.putAll(random.object(COMMON));
    return RandomJson.write(entry);
  }

  private final long seed = Long.getLong("mcp.seed", ThreadLocalRandom.current().nextLong());
  private final int rounds = Integer.getInteger("mcp.rounds", 1_000);

  @Test
  void no_text_makes_the_reader_throw_and_a_bad_entry_disables_only_itself() {
    System.out.println("configurations: seed " + seed);
    for (int round = 0; round < rounds; round++) {
      RandomJson random = new RandomJson(new Random(seed + round));
      String entry = entry(random);
      String text =
          "{\"mcpServers\":{\"first\":%s,\"odd\":%s,\"last\":%s}}".formatted(GOOD, entry, GOOD);
      McpConfig config = McpConfig.parse("mcp.json", text);
      assertThat(config.servers())
          .as("seed %d: %s", seed + round, text)
          .filteredOn(server -> !server.name().equals("odd"))
          .extracting(McpServerConfig::name)
          .containsExactly("first", "last");
      assertThat(config.server("odd").isPresent() || !config.problems().isEmpty())
          .as("seed %d: an entry that is left out says why: %s", seed + round, text)
          .isTrue();
      String damaged = random.damaged(random.damaged(text));
      assertThat(McpConfig.parse("mcp.json", damaged).servers())
          .as("seed %d: %s", seed + round, damaged)
          .hasSizeLessThan(5);
    }
  }

  @Test
  void a_configured_oddity_keeps_no_other_server_from_its_tools() throws Exception {
    System.out.println("configured servers: seed " + seed);
    McpSources.Builder builder = builder();
    List<McpServerConfig> configs = new java.util.ArrayList<>();
    for (int round = 0; round < 40; round++) {
      RandomJson random = new RandomJson(new Random(seed + round));
      String name = "s" + round;
      String text = "{\"mcpServers\":{\"%s\":%s}}".formatted(name, entry(random));
      McpConfig.parse("mcp.json", text).server(name).ifPresent(configs::add);
      builder.transport(name, () -> new MemoryTransport(Fault.NONE));
    }
    configs.add(McpServerConfig.http("good", "http://127.0.0.1:1/"));
    builder.transport("good", () -> new MemoryTransport(Fault.NONE));
    McpSources sources = start(builder.servers(configs));
    assertThat(sources.await(LONG)).as("seed %d", seed).isEmpty();
    assertThat(status(sources, "good").state()).isEqualTo(McpServerState.CONNECTED);
    assertThat(call("mcp__good__echo", "{\"text\":\"hi\"}").text()).isEqualTo("hi");
    assertThat(sources.status())
        .as("seed %d: who has no tools says why", seed)
        .allMatch(
            status ->
                status.tools() > 0
                    || status.error() != null
                    || status.state() == McpServerState.DISABLED);
  }
}
