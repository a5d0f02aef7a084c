package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LimitTest {

  @Test
  void every_limit_is_known_to_both_sides() {
    try (ToolRegistry registry = ToolRegistry.builder().build()) {
      assertThat(registry.limits()).containsOnlyKeys(Limit.values());
      assertThat(registry.limits()).containsEntry(Limit.MAX_SEARCH_LIMIT, 20L);
    }
  }

  @Test
  void a_limit_that_is_set_is_in_force_and_the_others_keep_their_defaults() {
    try (ToolRegistry registry = ToolRegistry.builder().limit(Limit.MAX_TOOLS, 0).build()) {
      PublishReport report =
          registry.put(Tools.orders(ToolExecutor.blocking(call -> ToolResult.text("done"))));
      assertThat(report.quarantined())
          .singleElement()
          .matches(q -> q.code().equals("registry_full"));
      assertThat(registry.limits()).containsEntry(Limit.MAX_TOOLS, 0L);
      assertThat(registry.limits()).containsEntry(Limit.MAX_TAGS, 64L);
    }
  }
}
