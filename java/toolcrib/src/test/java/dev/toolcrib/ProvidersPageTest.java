package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The agent of {@code docs/providers.md}, run. */
class ProvidersPageTest {

  /** Who sends the requests. */
  private interface Model {
    String send(String tools, List<String> history);
  }

  // example
  String agent(ToolSession session, Model model, String question) {
    Endpoint endpoint = Endpoint.ofProvider(Target.ANTHROPIC_MESSAGES);
    List<String> history = new ArrayList<>();
    history.add("{\"role\":\"user\",\"content\":\"" + question + "\"}");
    while (true) {
      RenderedTools tools = session.render(endpoint);
      // A request with "tools": tools.json() and "messages": history; the answer is a message.
      String message = model.send(tools.json(), history);
      history.add(message);
      List<ModelCall> calls = session.decodeCalls(endpoint, message);
      if (calls.isEmpty()) {
        return message;
      }
      List<AnsweredCall> turn = new ArrayList<>();
      for (ModelCall call : calls) {
        turn.add(call.answer(session.call(call.request()).join()));
      }
      history.addAll(session.encodeResults(endpoint, turn));
    }
  }

  // end

  @Test
  void the_agent_of_the_page_finds_and_calls_a_tool() {
    ToolSource orders =
        ToolSource.named("orders")
            .naming(Naming.PLAIN)
            .tool(
                Tools.tool("get_order").build(),
                ToolExecutor.blocking(call -> ToolResult.text("shipped")))
            .build();
    List<String> requests = new ArrayList<>();
    Model model =
        (tools, history) -> {
          requests.add(tools);
          String last = history.get(history.size() - 1);
          if (history.size() == 1) {
            return use("toolu_1", "tool_search", "{\"query\":\"Get an order of the shop\"}");
          }
          if (last.contains("tool_reference")) {
            return use("toolu_2", "get_order", "{\"order\":\"SO-1042\"}");
          }
          assertThat(last).contains("\"tool_use_id\":\"toolu_2\"", "shipped");
          return "{\"role\":\"assistant\",\"content\":\"It is shipped.\"}";
        };
    try (ToolRegistry registry =
        ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build()) {
      registry.put(orders);
      try (ToolSession session = registry.session(Tools.ANN).open()) {
        assertThat(agent(session, model, "Where is SO-1042?")).contains("It is shipped.");
      }
    }
    assertThat(requests).hasSize(3);
    String first = requests.get(0);
    assertThat(requests.get(1)).startsWith(first.substring(0, first.length() - 1));
    assertThat(requests.get(2)).isEqualTo(requests.get(1));
  }

  @Test
  void the_page_shows_this_agent() throws Exception {
    String test = Files.readString(Path.of("src/test/java/dev/toolcrib/ProvidersPageTest.java"));
    String code = test.substring(test.indexOf("// example\n") + 11, test.indexOf("  // end\n"));
    String page = Files.readString(Vectors.directory().resolve("../../docs/providers.md"));
    assertThat(page).contains("```java\n" + code.stripTrailing().stripIndent() + "\n```");
  }

  private static String use(String id, String name, String input) {
    return """
    {"role":"assistant","content":[
     {"type":"tool_use","id":"%s","name":"%s","input":%s}]}\
    """
        .formatted(id, name, input);
  }
}
