package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples of {@code docs/mcp.md} that need no MCP server, run. */
class McpPageTest {

  private static ToolSource loadCatalogue() {
    return ToolSource.named("catalogue")
        .domain("sales")
        .exposure(Exposure.DEFERRED)
        .tool(Tools.tool("get_price").build())
        .build();
  }

  void expect(ToolRegistry registry) {
    // <expect>
    CompletableFuture<PublishReport> loading =
        CompletableFuture.supplyAsync(() -> registry.put(loadCatalogue()));
    registry.expect(
        new ExpectedSource("catalogue", Set.of(Exposure.DEFERRED), "sales", Set.of(), loading));
    // </expect>
  }

  void replace(ToolRegistry registry, ToolExecutor mySearch) {
    // <replace>
    ToolDefinition search = ToolDefinition.named("tool_search").description("Our way").build();
    registry.put(
        ToolSource.named("my-search").naming(Naming.REPLACING).tool(search, mySearch).build());
    // </replace>
  }

  @Test
  void what_is_expected_is_searched_when_it_is_there() {
    try (ToolRegistry registry =
        ToolRegistry.builder().authorizer(caller -> ToolSelection.domains("sales")).build()) {
      expect(registry);
      try (ToolSession session = registry.session(Tools.ANN).open()) {
        assertThat(session.search("get the price").addedToolNames())
            .containsExactly("mcp__catalogue__get_price");
      }
    }
  }

  @Test
  void a_search_of_the_service_takes_the_place_of_ours_for_who_may_use_it() {
    ToolAuthorizer authorizer =
        caller ->
            caller.equals(Tools.ANN)
                ? ToolSelection.all()
                : ToolSelection.all().except(ToolSelection.sources("my-search"));
    try (ToolRegistry registry = ToolRegistry.builder().authorizer(authorizer).build()) {
      registry.put(loadCatalogue());
      replace(registry, ToolExecutor.blocking(call -> ToolResult.text("found our way")));
      CallRequest search = CallRequest.of("tool_search", "{\"query\":\"get the price\"}");
      try (ToolSession theirs = registry.session(Tools.ANN).open();
          ToolSession ours = registry.session(Caller.of("acme", "bob")).open()) {
        RenderedTools rendered = theirs.render(Target.OPENAI_CHAT);
        assertThat(rendered.toolNames()).containsExactly("tool_search");
        assertThat(rendered.json()).contains("Our way");
        assertThat(theirs.call(search).join().text()).isEqualTo("found our way");
        assertThat(ours.render(Target.OPENAI_CHAT).json()).doesNotContain("Our way");
        assertThat(ours.call(search).join()).isInstanceOf(CallResult.Searched.class);
      }
    }
  }

  @Test
  void the_page_shows_these_examples() throws Exception {
    String test = Files.readString(Path.of("src/test/java/dev/toolcrib/McpPageTest.java"));
    String page = Files.readString(Vectors.directory().resolve("../../docs/mcp.md"));
    for (String part : new String[] {"expect", "replace"}) {
      var marked =
          Pattern.compile("// <" + part + ">\n(.*?)\\s*// </" + part + ">", Pattern.DOTALL)
              .matcher(test);
      assertThat(marked.find()).isTrue();
      assertThat(page).contains("```java\n" + marked.group(1).stripIndent().strip() + "\n```");
    }
  }
}
