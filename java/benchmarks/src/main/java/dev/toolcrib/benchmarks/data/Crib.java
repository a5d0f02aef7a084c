package dev.toolcrib.benchmarks.data;

import dev.toolcrib.Caller;
import dev.toolcrib.PublishResult;
import dev.toolcrib.ToolAuthorizer;
import dev.toolcrib.ToolDefinition;
import dev.toolcrib.ToolExecutor;
import dev.toolcrib.ToolInfo;
import dev.toolcrib.ToolPage;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolResult;
import dev.toolcrib.ToolSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Registries filled with a catalogue, one source a server. */
public final class Crib {

  /** Who asks, where it does not matter who. */
  public static final Caller CALLER = Caller.of("tenant", "user");

  /** A tool that does nothing. */
  public static final ToolExecutor NO_OP = ToolExecutor.blocking(call -> ToolResult.text("done"));

  private static final int PAGE = 1_000;

  private Crib() {}

  /**
   * A registry that has all tools and runs them on the calling thread.
   *
   * @param tools the tools
   * @param authorizer what callers may use
   * @param more changes the builder
   */
  public static ToolRegistry registry(
      List<Tool> tools, ToolAuthorizer authorizer, UnaryOperator<ToolRegistry.Builder> more) {
    ToolRegistry registry =
        more.apply(ToolRegistry.builder().authorizer(authorizer).executor(Runnable::run)).build();
    List<ToolSource> sources = new ArrayList<>();
    bySource(tools).forEach((name, ofSource) -> sources.add(source(name, ofSource)));
    registry.putAll(sources).forEach(PublishResult::orElseThrow);
    return registry;
  }

  /** The tools of each source, in the order of the catalogue. */
  public static Map<String, List<Tool>> bySource(List<Tool> tools) {
    return tools.stream()
        .collect(Collectors.groupingBy(Tool::source, LinkedHashMap::new, Collectors.toList()));
  }

  /** A source as a registry takes it. */
  public static ToolSource source(String name, List<Tool> tools) {
    ToolSource.Builder source =
        ToolSource.named(name)
            .description(tools.get(0).category())
            .domain(tools.get(0).domain())
            .executor(NO_OP);
    for (Tool tool : tools) {
      source.tool(
          ToolDefinition.named(tool.name())
              .description(tool.description())
              .inputSchema(tool.inputSchema())
              .build());
    }
    return source.build();
  }

  /** The public name of each tool, by its key. */
  public static Map<String, String> names(ToolRegistry registry) {
    Map<String, String> names = new HashMap<>();
    String cursor = null;
    do {
      ToolPage page = registry.list(CALLER, cursor, PAGE);
      for (ToolPage.Entry entry : page.tools()) {
        names.put(key(entry.tool()), entry.tool().name());
      }
      cursor = page.nextCursor();
    } while (cursor != null);
    return names;
  }

  /** {@link Tool#key()} of a tool that Toolcrib gave. */
  public static String key(ToolInfo tool) {
    return tool.source() + '/' + tool.localName();
  }
}
