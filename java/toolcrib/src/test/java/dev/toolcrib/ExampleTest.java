package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The example of the package's documentation, run. */
class ExampleTest {

  // example
  String orderStatus() {
    ToolDefinition getOrder =
        ToolDefinition.named("get_order")
            .description("Look up one order by its number: items, amounts, status.")
            .inputSchema(
                """
                {"type": "object", "required": ["order"],
                 "properties": {"order": {"type": "string", "pattern": "^SO-[0-9]+$"}}}
                """)
            .tags("read")
            .build();
    ToolSource orders =
        ToolSource.named("orders")
            .naming(Naming.PLAIN)
            .tool(getOrder, ToolExecutor.blocking(call -> ToolResult.text("shipped")))
            .build();

    // Clerks may read; everybody else sees nothing.
    ToolAuthorizer authorizer =
        caller -> caller.hasRole("clerk") ? ToolSelection.tags("read") : ToolSelection.none();

    try (ToolRegistry registry = ToolRegistry.builder().authorizer(authorizer).build()) {
      registry.put(orders);
      Caller ann = Caller.of("acme", "ann").withRoles("clerk");
      try (ToolSession session = registry.session(ann).open()) {
        // The model starts with tool_search alone, and calls it.
        session.call(CallRequest.of("tool_search", "{\"query\": \"look up an order\"}")).join();
        // From now on its requests declare get_order as well, so it can call that.
        String tools = session.render(Target.ANTHROPIC_MESSAGES).json();
        CallResult result =
            session.call(CallRequest.of("get_order", "{\"order\": \"SO-1042\"}")).join();
        return tools.contains("get_order") ? result.text() : "not found";
      }
    }
  }

  // end

  @Test
  void the_example_does_what_it_says() {
    assertThat(orderStatus()).isEqualTo("shipped");
  }

  @Test
  void the_documentation_shows_this_example() throws Exception {
    String test = read("src/test/java/dev/toolcrib/ExampleTest.java");
    String code = test.substring(test.indexOf("// example\n") + 11, test.indexOf("  // end\n"));
    String shown =
        read("src/main/java/dev/toolcrib/package-info.java").replaceAll("(?m)^ \\* ?", "");
    assertThat(shown).contains(code.stripTrailing().stripIndent());
  }

  private static String read(String file) throws Exception {
    return Files.readString(Path.of(file));
  }
}
