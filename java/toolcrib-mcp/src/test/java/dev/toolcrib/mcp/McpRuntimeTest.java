package dev.toolcrib.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.PublishResult;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class McpRuntimeTest {

  private static final Duration TIME = Duration.ofSeconds(10);
  private static final McpRuntime.Times TIMES =
      new McpRuntime.Times(TIME, TIME, TIME, TIME, new Backoff(TIME, TIME));

  @Test
  void an_error_of_one_server_left_others_waiting_for_ever() throws Exception {
    try (ToolRegistry registry = ToolRegistry.builder().build();
        McpRuntime runtime = new McpRuntime(registry, TIMES)) {
      CompletableFuture<@Nullable PublishResult> unasked = new CompletableFuture<>();
      CompletableFuture<@Nullable PublishResult> last = new CompletableFuture<>();
      CompletableFuture<?> gathered = new CompletableFuture<>();
      runtime.afterPublishing(gathered::join);
      runtime.publish(
          source("a"),
          () -> true,
          result -> {
            throw new StackOverflowError();
          });
      runtime.publish(
          source("b"),
          () -> {
            throw new StackOverflowError();
          },
          unasked::complete);
      runtime.publish(source("c"), () -> true, last::complete);
      gathered.complete(null);
      assertThat(unasked.get(60, TimeUnit.SECONDS)).isNull();
      PublishResult published = last.get(60, TimeUnit.SECONDS);
      assertThat(published).isNotNull();
      assertThat(published.failure()).isNull();
    }
  }

  @Test
  void what_cannot_be_published_is_told_and_the_next_is() throws Exception {
    ToolRegistry registry = ToolRegistry.builder().build();
    registry.close();
    try (McpRuntime runtime = new McpRuntime(registry, TIMES)) {
      for (int times = 0; times < 2; times++) {
        CompletableFuture<@Nullable PublishResult> told = new CompletableFuture<>();
        runtime.publish(source("a"), () -> true, told::complete);
        PublishResult refused = told.get(60, TimeUnit.SECONDS);
        assertThat(refused).isNotNull();
        assertThat(refused.failure()).isInstanceOf(IllegalStateException.class);
      }
    }
  }

  private static ToolSource source(String name) {
    return ToolSource.named(name).build();
  }
}
