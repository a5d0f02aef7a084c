package dev.toolcrib.benchmarks.render;

import dev.toolcrib.Checkpoint;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSession;
import dev.toolcrib.benchmarks.data.Catalogue;
import dev.toolcrib.benchmarks.data.Crib;
import dev.toolcrib.benchmarks.data.Json;
import dev.toolcrib.benchmarks.data.Latest;
import dev.toolcrib.benchmarks.data.SharedData;
import dev.toolcrib.benchmarks.data.Tool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.type.TypeReference;

/**
 * A session with some active tools, and the same tools as maps, their schemas parsed, as a service
 * without Toolcrib would keep them.
 */
final class RenderFixture implements AutoCloseable {

  record Case(String catalogue, int active) {}

  private static final Latest<Case, RenderFixture> LATEST = new Latest<>(RenderFixture::new);
  private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};
  private static final int TOOLS = 1_000;

  final ToolSession session;

  /** The name of one tool more, which is not active. */
  final String more;

  /** Where one tool more is not yet active. */
  final Checkpoint before;

  private final ToolRegistry registry;
  private final List<Map<String, Object>> functions = new ArrayList<>();

  private RenderFixture(Case of) {
    List<Tool> tools =
        Catalogue.tools(of.catalogue(), TOOLS).stream().filter(RenderFixture::isPlain).toList();
    registry = Crib.registry(tools, caller -> ToolSelection.all(), builder -> builder);
    Map<String, String> names = Crib.names(registry);
    session = registry.session(Crib.CALLER).open();
    for (Tool tool : SharedData.spread(tools, of.active() + 1)) {
      functions.add(function(names.get(tool.key()), tool));
    }
    List<String> active = functions.stream().map(RenderFixture::name).toList();
    more = active.get(of.active());
    session.activate(active.subList(0, of.active()), null);
    before = session.checkpoint();
  }

  static RenderFixture of(Case wanted) {
    return LATEST.of(wanted);
  }

  static void free() {
    LATEST.close();
  }

  /** The first tools as an OpenAI chat request has them. */
  byte[] serialize(int count) {
    List<Map<String, Object>> array = new ArrayList<>(count);
    for (Map<String, Object> function : functions.subList(0, count)) {
      Map<String, Object> tool = new LinkedHashMap<>();
      tool.put("type", "function");
      tool.put("function", function);
      array.add(tool);
    }
    return Json.MAPPER.writeValueAsBytes(array);
  }

  static String name(Map<String, Object> function) {
    return (String) function.get("name");
  }

  /** Whether no parameter has a name that a provider would not take. */
  private static boolean isPlain(Tool tool) {
    return Json.MAPPER.readTree(tool.inputSchema()).path("properties").propertyNames().stream()
        .allMatch(name -> name.matches("[A-Za-z0-9_-]{1,64}"));
  }

  private static Map<String, Object> function(String name, Tool tool) {
    Map<String, Object> function = new LinkedHashMap<>();
    function.put("name", name);
    function.put("description", tool.description());
    function.put("parameters", Json.MAPPER.readValue(tool.inputSchema(), OBJECT));
    return function;
  }

  @Override
  public void close() {
    session.close();
    registry.close();
  }
}
