package dev.toolcrib;

import static dev.toolcrib.Tools.ANN;
import static dev.toolcrib.Tools.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.Tools.Rights;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReachedSourcesTest {

  private final Rights rights = new Rights();
  private final ToolRegistry registry = ToolRegistry.builder().authorizer(rights).build();

  @BeforeEach
  void sources() {
    registry.putAll(
        List.of(
            ToolSource.named("files")
                .description("Files")
                .instructions("Read first")
                .exposure(Exposure.DEFERRED)
                .exposure("read", Exposure.DIRECT)
                .exposure("secret", Exposure.HIDDEN)
                .tool(tool("read").build())
                .tool(tool("write").build())
                .tool(tool("list").build())
                .tool(tool("secret").build())
                .build(),
            ToolSource.named("mail").tool(tool("send").build()).build()));
  }

  @AfterEach
  void close() {
    registry.close();
  }

  @Test
  void a_source_counts_only_what_the_caller_may_discover() {
    assertThat(registry.sources(ANN))
        .containsExactly(
            new ReachedSource("files", "Files", "Read first", 1, 0, 2),
            new ReachedSource("mail", "", "", 0, 1, 0));
    rights.selection.set(ToolSelection.names("mcp__files__write"));
    assertThat(registry.sources(ANN))
        .containsExactly(new ReachedSource("files", "Files", "Read first", 0, 0, 1));
    rights.selection.set(ToolSelection.names("mcp__files__secret"));
    assertThat(registry.sources(ANN)).isEmpty();
    rights.selection.set(ToolSelection.none());
    assertThat(registry.sources(ANN)).isEmpty();
  }
}
