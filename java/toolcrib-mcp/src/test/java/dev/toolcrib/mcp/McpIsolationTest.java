package dev.toolcrib.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.Exposure;
import dev.toolcrib.ToolDefinition;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many clients at once, each with a vault that nobody else may know of. */
class McpIsolationTest extends McpServerTest {

  private static final int CLIENTS = 64;
  private static final Pattern OWNED = Pattern.compile("(?:vault|canary)_(\\d+)");

  @ParameterizedTest
  @ValueSource(strings = {"stateless", "stateful", "session mode"})
  void sixty_four_clients_with_different_rights_see_only_their_own(String mode) throws Exception {
    List<ToolSource> sources = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      sources.add(
          ToolSource.named("vault_" + i)
              .description("The vault of canary_" + i)
              .exposure(i % 2 == 0 ? Exposure.CODEMODE : Exposure.DIRECT)
              .tool(
                  ToolDefinition.named("open").description("Opens vault_" + i).build(),
                  answer("here is canary_" + i))
              .build());
    }
    registry.putAll(sources);
    rights = caller -> ToolSelection.sources(caller.user());
    McpServerOptions options =
        McpServerOptions.defaults().withCodemode(true).withSessionMode(mode.equals("session mode"));
    HttpHost host =
        host(McpToolServer.of(registry, HttpHost.callers(), options), mode.equals("stateless"));
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    List<CompletableFuture<List<String>>> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      int own = i;
      clients.add(CompletableFuture.supplyAsync(() -> answers(host, own), threads));
    }
    for (int i = 0; i < CLIENTS; i++) {
      List<String> answers = clients.get(i).get(120, TimeUnit.SECONDS);
      assertThat(answers).anyMatch(answer -> answer.contains("here is canary_"));
      for (String answer : answers) {
        Matcher owned = OWNED.matcher(answer);
        while (owned.find()) {
          assertThat(owned.group(1)).as(answer).isEqualTo(String.valueOf(i));
        }
      }
    }
    threads.shutdown();
  }

  /** All that one client is told; what it said itself of another's is taken out. */
  private static List<String> answers(HttpHost host, int own) {
    try {
      RawClient client = new RawClient(host.url(), "acme/vault_" + own).initialize();
      List<String> answers = new ArrayList<>();
      for (int round = 0; round < 2; round++) {
        int other = (own + 1 + 7 * round) % CLIENTS;
        String tool = "mcp__vault_%d__open".formatted(own);
        String theirs = "mcp__vault_%d__open".formatted(other);
        answers.add(client.ask("tools/list", Map.of()).toString());
        answers.add(client.call("tool_search", Map.of("query", "open the vault")).toString());
        Map<String, Object> inner = Map.of("name", tool, "arguments", Map.of());
        answers.add(client.call("call_tool", inner).toString());
        answers.add(client.call(tool, Map.of()).toString());
        Map<String, Object> another = Map.of("name", theirs, "arguments", Map.of());
        for (String answer :
            List.of(
                client.call("call_tool", another).toString(),
                client.call(theirs, Map.of()).toString(),
                client.call("describe_tool", Map.of("name", theirs)).toString())) {
          answers.add(answer.replace(theirs, "theirs"));
        }
        String code =
            "const r = JSON.stringify([ALL_TOOLS, await searchTools('open the vault')]);"
                + " return r + (await tools['%s']({})).content[0].text".formatted(tool);
        if (own % 2 == 0) {
          answers.add(client.call("codemode", Map.of("code", code)).toString());
        }
      }
      return answers;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
