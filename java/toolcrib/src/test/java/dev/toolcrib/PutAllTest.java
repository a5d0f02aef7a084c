package dev.toolcrib;

import static dev.toolcrib.Tools.ANN;
import static dev.toolcrib.Tools.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PutAllTest {

  private final ToolRegistry registry =
      ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build();

  @AfterEach
  void close() {
    registry.close();
  }

  @Test
  void many_sources_are_one_new_version() {
    long before = registry.info().version();
    List<PublishResult> results = registry.putAll(List.of(source("a"), source("b"), source("c")));
    assertThat(results).extracting(PublishResult::source).containsExactly("a", "b", "c");
    assertThat(results)
        .allSatisfy(result -> assertThat(result.orElseThrow().version()).isEqualTo(before + 1));
    assertThat(registry.info().version()).isEqualTo(before + 1);
  }

  @Test
  void a_source_that_cannot_be_taken_keeps_no_other_back() {
    ToolSource unreadable = ToolSource.named("b").toolsList("no list").build();
    ToolSource noUtf8 = ToolSource.named("c").toolsList(new byte[] {'[', (byte) 0xff, ']'}).build();
    List<PublishResult> results =
        registry.putAll(List.of(source("a"), unreadable, noUtf8, source("d")));
    assertThat(results)
        .extracting(result -> result.report() != null)
        .containsExactly(true, false, false, true);
    assertThat(results.get(1).failure()).isInstanceOf(ToolcribException.class);
    assertThatThrownBy(results.get(2)::orElseThrow).isInstanceOf(IllegalArgumentException.class);
    assertThat(registry.sources()).extracting(SourceInfo::name).containsExactly("a", "d");
  }

  @Test
  void a_source_with_half_a_character_kept_all_others_back() {
    ToolSource half = ToolSource.named("b").instructions("\ud800").build();
    List<PublishResult> results = registry.putAll(List.of(source("a"), half, source("c")));
    assertThat(results).extracting(PublishResult::source).containsExactly("a", "b", "c");
    assertThatThrownBy(results.get(1)::orElseThrow).isInstanceOf(IllegalArgumentException.class);
    assertThat(registry.sources()).extracting(SourceInfo::name).containsExactly("a", "c");
  }

  @Test
  void what_was_there_stays_callable_when_its_replacement_is_not_taken() throws Exception {
    registry.put(source("a"));
    registry.putAll(
        List.of(source("b"), ToolSource.named("a").toolsList("no list").build(), source("c")));
    assertThat(text("mcp__a__get")).isEqualTo("of a");
    assertThat(text("mcp__c__get")).isEqualTo("of c");
  }

  @Test
  void nothing_to_put_changes_nothing() {
    assertThat(registry.putAll(List.of())).isEmpty();
    assertThat(registry.info().version()).isZero();
  }

  @Test
  void of_two_sources_with_one_name_the_later_stays() throws Exception {
    ToolSource later =
        ToolSource.named("a")
            .tool(tool("get").build(), ToolExecutor.blocking(call -> ToolResult.text("later")))
            .build();
    registry.putAll(List.of(source("a"), later));
    assertThat(text("mcp__a__get")).isEqualTo("later");
  }

  private String text(String tool) throws Exception {
    try (ToolSession session = registry.session(ANN).open()) {
      CallRequest call = CallRequest.of(tool, "{\"order\":\"SO-1\"}").allowingInactive();
      return session.call(call).get().text();
    }
  }

  private static ToolSource source(String name) {
    return ToolSource.named(name)
        .toolsList(
            "[{\"name\":\"get\",\"inputSchema\":{\"type\":\"object\"}}]"
                .getBytes(StandardCharsets.UTF_8))
        .executor(ToolExecutor.blocking(call -> ToolResult.text("of " + name)))
        .build();
  }
}
