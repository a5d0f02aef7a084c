package dev.toolcrib.demo.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.Caller;
import dev.toolcrib.SourceInfo;
import dev.toolcrib.ToolDefinition;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSource;
import dev.toolcrib.demo.catalogue.CatalogueLoader.Loaded;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatalogueLoaderTest {

  private static final String TOOL =
      "{\"name\":\"%s\",\"description\":\"d\",\"inputSchema\":{\"type\":\"object\"}%s}";

  @TempDir Path folder;
  private final ToolRegistry registry =
      ToolRegistry.builder().authorizer(caller -> ToolSelection.tags("external")).build();

  @BeforeEach
  void ownSource() {
    registry.put(
        ToolSource.named("orders").tool(ToolDefinition.named("order_get").build()).build());
  }

  @AfterEach
  void close() {
    registry.close();
  }

  @Test
  void readsToolsListResultsInEveryWrapping() throws Exception {
    String a = TOOL.formatted("a", "");
    file("plain.json", "{\"tools\":[" + a + "]}");
    file("rpc.json", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[" + a + "]}}");
    file("array.json", "[" + a + "," + TOOL.formatted("b", "") + "]");
    assertThat(load(folder).published()).isEqualTo(4);
    assertThat(names()).containsExactly("array", "orders", "plain", "rpc");
  }

  @Test
  void groupsLinesByServerAndSkipsWhatIsNoJson() throws Exception {
    file(
        "mixed.jsonl",
        TOOL.formatted("a", ",\"server\":\"x\"")
            + "\n\nnot json\n"
            + TOOL.formatted("b", ",\"server\":\"y\"")
            + "\n"
            + TOOL.formatted("c", ",\"server\":\"x\"")
            + "\n"
            + TOOL.formatted("d", ""));
    Loaded loaded = load(folder.resolve("mixed.jsonl"));
    assertThat(loaded.published()).isEqualTo(4);
    assertThat(loaded.refused()).containsEntry("unreadable line", 1);
    assertThat(names()).containsExactly("mixed", "orders", "x", "y");
  }

  @Test
  void readsGzippedFiles() throws Exception {
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(folder.resolve("z.jsonl.gz")))) {
      out.write(TOOL.formatted("a", "").getBytes(StandardCharsets.UTF_8));
    }
    assertThat(load(folder).published()).isEqualTo(1);
  }

  @Test
  void neverReplacesASourceOfTheService() throws Exception {
    file("evil.jsonl", TOOL.formatted("order_get", ",\"server\":\"orders\""));
    load(folder.resolve("evil.jsonl"));
    assertThat(names()).containsExactly("evil-orders", "orders");
    assertThat(registry.list(Caller.of("t", "u"), null, 10).tools())
        .extracting(entry -> entry.tool().source())
        .containsExactly("evil-orders");
  }

  @Test
  void keepsServersOfOneNameInTwoFilesApart() throws Exception {
    file("one.jsonl", TOOL.formatted("a", ",\"server\":\"x\""));
    file("two.jsonl", TOOL.formatted("b", ",\"server\":\"x\""));
    load(folder);
    assertThat(names()).containsExactly("one-x", "orders", "two-x");
  }

  private Loaded load(Path path) throws Exception {
    return new CatalogueLoader(registry).load(List.of(path));
  }

  private void file(String name, String text) throws Exception {
    Files.writeString(folder.resolve(name), text);
  }

  private List<String> names() {
    return registry.sources().stream().map(SourceInfo::name).toList();
  }
}
