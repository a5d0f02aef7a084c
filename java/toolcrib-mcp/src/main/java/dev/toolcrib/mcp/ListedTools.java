package dev.toolcrib.mcp;

import dev.toolcrib.Endpoint;
import dev.toolcrib.ToolSession;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The pages of {@code tools/list}: our own tools first, then those declared to the session. In a
 * list that depends on rights only they are in the order of their names; a session's own list keeps
 * the order in which they were added, so that what a client has cached stays right.
 */
final class ListedTools {

  static final String CODEMODE = "codemode";

  private static final List<String> OWN =
      List.of("tool_search", "describe_tool", "call_tool", CODEMODE);

  private static final String NOTHING_KEPT =
      "\n\nNothing is kept between programs here: load gives what the same program stored.";

  private static final Pattern AROUND = Pattern.compile("^[^A-Za-z0-9_]+|[^A-Za-z0-9_]+$");

  private final McpServerOptions options;

  ListedTools(McpServerOptions options) {
    this.options = options;
  }

  /** Whether a name is that of a tool of ours that is offered or not. */
  static boolean isOwn(String name) {
    return OWN.contains(name);
  }

  /**
   * The tool of ours that a call comes to and that is not offered, be it called through another or
   * by what models garble its name to; null if the call may go on.
   */
  @Nullable String withheld(String name, @Nullable Map<?, ?> arguments) {
    String meant = meant(name);
    if (options.withheld().contains(meant)) {
      return meant;
    }
    String inner = meant.equals("call_tool") ? Json.string(arguments, "name") : null;
    return inner != null && options.withheld().contains(meant(inner)) ? meant(inner) : null;
  }

  /** Whether a call runs a script. */
  static boolean runsScript(String name) {
    return meant(name).equals(CODEMODE);
  }

  /** A name without what may stand around it; no name of ours has anything else at its ends. */
  private static String meant(String name) {
    String bare = AROUND.matcher(name).replaceAll("");
    return bare.startsWith("functions.") ? bare.substring("functions.".length()) : bare;
  }

  /**
   * The page behind a cursor; null if the cursor is none of ours.
   *
   * @param keeps whether anything is kept of the client between its requests
   */
  @Nullable Map<String, Object> page(
      ToolSession session, Endpoint endpoint, boolean keeps, @Nullable String cursor) {
    List<JsonNode> tools = declared(session, endpoint);
    if (!keeps) {
      tools.stream().filter(tool -> name(tool).equals(CODEMODE)).forEach(ListedTools::keepsNothing);
    }
    return page(tools, cursor);
  }

  private static void keepsNothing(JsonNode codemode) {
    ((ObjectNode) codemode)
        .put("description", codemode.path("description").asString("") + NOTHING_KEPT);
  }

  /** The list of who is nobody. */
  static Map<String, Object> none() {
    return Map.of("tools", List.of());
  }

  private List<JsonNode> declared(ToolSession session, Endpoint endpoint) {
    List<JsonNode> own = new ArrayList<>();
    List<JsonNode> others = new ArrayList<>();
    for (JsonNode tool : Json.tree(session.render(endpoint).json())) {
      (isOwn(name(tool)) ? own : others).add(tool);
    }
    own.removeIf(tool -> options.withheld().contains(name(tool)));
    own.sort(Comparator.comparingInt(tool -> OWN.indexOf(name(tool))));
    if (!options.sessionMode()) {
      others.sort(Comparator.comparing(ListedTools::name));
    }
    own.addAll(others);
    return own;
  }

  private @Nullable Map<String, Object> page(List<JsonNode> tools, @Nullable String cursor) {
    int from = 0;
    if (cursor != null) {
      Cursor after = Cursor.read(cursor);
      if (after == null) {
        return null;
      }
      from = after.in(tools);
    }
    int to = Math.min(tools.size(), from + options.pageSize());
    Map<String, Object> page = new LinkedHashMap<>();
    page.put("tools", tools.subList(from, to));
    if (to < tools.size()) {
      page.put("nextCursor", new Cursor(to, name(tools.get(to - 1))).write());
    }
    return page;
  }

  private static String name(JsonNode tool) {
    return tool.path("name").asString("");
  }

  /** After how many tools a page begins, and after which: the list may change between two pages. */
  private record Cursor(int position, String last) {

    int in(List<JsonNode> tools) {
      for (int i = 0; i < tools.size(); i++) {
        if (name(tools.get(i)).equals(last)) {
          return i + 1;
        }
      }
      return Math.min(position, tools.size());
    }

    String write() {
      byte[] text = (position + ":" + last).getBytes(StandardCharsets.UTF_8);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(text);
    }

    static @Nullable Cursor read(String cursor) {
      try {
        String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
        int colon = text.indexOf(':');
        int position = colon < 0 ? -1 : Integer.parseInt(text.substring(0, colon));
        return position < 0 ? null : new Cursor(position, text.substring(colon + 1));
      } catch (IllegalArgumentException e) {
        return null;
      }
    }
  }
}
