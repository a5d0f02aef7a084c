package dev.toolcrib.demo.tour;

import dev.toolcrib.CallRequest;
import dev.toolcrib.CallResult;
import dev.toolcrib.RenderedTools;
import dev.toolcrib.SearchHit;
import dev.toolcrib.SearchOutcome;
import dev.toolcrib.SearchRequest;
import dev.toolcrib.Target;
import dev.toolcrib.ToolSession;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One conversation, in which the script plays the model: it searches, reads the declarations and
 * calls, as a model would through an agent runtime.
 */
final class Talk {

  private final ToolSession session;
  private final Screen screen;
  private @Nullable RenderedTools last;

  Talk(ToolSession session, Screen screen) {
    this.session = session;
    this.screen = screen;
  }

  ToolSession session() {
    return session;
  }

  /** The model looks for tools. */
  SearchOutcome search(String query, String position) {
    screen.says("model", "tool_search(" + query + ")");
    long start = System.nanoTime();
    SearchOutcome outcome = session.search(SearchRequest.of(query).withPosition(position));
    Duration took = Figures.since(start);
    screen.table(
        List.of("         hit", "score", "", "description"),
        outcome.hits().stream().map(Talk::row).toList());
    screen.aside(
        "%s, %d activated, %s"
            .formatted(
                outcome.getClass().getSimpleName(),
                outcome.addedToolNames().size(),
                Figures.time(took)));
    return outcome;
  }

  private static List<String> row(SearchHit hit) {
    return List.of(
        "         " + Columns.cut(hit.tool().name(), 46),
        String.format(Locale.ROOT, "%.2f", hit.score()),
        hit.state() == SearchHit.State.ADDED ? "+" : " ",
        firstLine(hit.tool().description()));
  }

  private static String firstLine(String text) {
    return text.lines().map(String::strip).filter(line -> !line.isEmpty()).findFirst().orElse("");
  }

  /** The model calls a tool. */
  CallResult call(String tool, String arguments) throws Exception {
    screen.says("model", tool + " " + arguments);
    long start = System.nanoTime();
    CallResult result = session.call(CallRequest.of(tool, arguments)).get(30, TimeUnit.SECONDS);
    Duration took = Figures.since(start);
    Screen.Ink ink = result.isError() ? Screen.Ink.YELLOW : Screen.Ink.GREEN;
    screen.says("tool", result.text(), ink);
    screen.aside("%s, %s".formatted(result.getClass().getSimpleName(), Figures.time(took)));
    return result;
  }

  /** What the next request to the model declares. */
  RenderedTools render() {
    long start = System.nanoTime();
    RenderedTools tools = session.render(Target.ANTHROPIC_MESSAGES);
    Duration took = Figures.since(start);
    screen.remark(
        "declared to the model: %d tools, %s, about %s tokens (%s)"
            .formatted(
                tools.toolNames().size(),
                Figures.bytes(tools.bytes().length),
                Figures.count(tools.estimatedTokens()),
                Figures.time(took)));
    last = tools;
    return tools;
  }

  /** Renders again, and checks that the former declarations are the beginning of the new ones. */
  RenderedTools renderGrown() {
    String before = last == null ? "[" : withoutEnd(last.json());
    RenderedTools tools = render();
    screen.check(
        tools.json().startsWith(before),
        "the former declarations are, byte for byte, the beginning of the new: prompt caches hit");
    return tools;
  }

  private static String withoutEnd(String array) {
    return array.substring(0, array.lastIndexOf(']'));
  }
}
