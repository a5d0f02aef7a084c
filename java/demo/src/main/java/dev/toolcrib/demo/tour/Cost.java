package dev.toolcrib.demo.tour;

import dev.toolcrib.Caller;
import dev.toolcrib.RenderedTools;
import dev.toolcrib.Target;
import dev.toolcrib.ToolPage;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSession;
import java.util.function.Consumer;

/**
 * What it would cost to declare all tools of a caller to the model, in every request.
 *
 * @param tools the tools
 * @param bytes their declarations for Anthropic's Messages API
 * @param tokens an estimate, a quarter of the bytes
 */
record Cost(int tools, long bytes, long tokens) {

  private static final int PAGE = 500;

  /** Renders everything a caller may use, a page at a time, and shows each tool on the way. */
  static Cost ofEverything(ToolRegistry registry, Caller caller, Consumer<ToolPage.Entry> seen) {
    Cost sum = new Cost(0, 0, 0);
    String cursor = null;
    do {
      ToolPage page = registry.list(caller, cursor, PAGE);
      page.tools().forEach(seen);
      try (ToolSession session = registry.session(caller).open()) {
        session.activate(page.tools().stream().map(entry -> entry.tool().name()).toList(), null);
        sum = sum.plus(session.render(Target.ANTHROPIC_MESSAGES), page.tools().size());
      }
      cursor = page.nextCursor();
    } while (cursor != null);
    return sum;
  }

  private Cost plus(RenderedTools rendered, int newTools) {
    return new Cost(
        tools + newTools, bytes + rendered.bytes().length, tokens + rendered.estimatedTokens());
  }
}
