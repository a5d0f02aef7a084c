package dev.toolcrib.mcp;

import dev.toolcrib.CallResult;
import dev.toolcrib.SearchOutcome;
import dev.toolcrib.ToolResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns what came of a call into a result of {@code tools/call}. */
final class CallAnswers {

  /**
   * Under which {@code _meta} has the names that a search added, for runtimes that declare them.
   */
  static final String ADDED = "dev.toolcrib/addedToolNames";

  private CallAnswers() {}

  /**
   * The result.
   *
   * @param whole whether the client gets what the tool gave, not its preview
   */
  static Map<String, Object> of(CallResult result, boolean whole) {
    Map<String, Object> answer = new LinkedHashMap<>();
    ToolResult payload = payload(result);
    if (payload == null || !whole) {
      answer.put("content", text(result.text()));
    } else {
      String content = payload.content();
      answer.put("content", content == null ? text(payload.text()) : Json.tree(content));
    }
    String structured = payload == null ? null : payload.structuredContent();
    if (structured != null && structured.stripLeading().startsWith("{")) {
      answer.put("structuredContent", Json.tree(structured));
    }
    if (result.isError()) {
      answer.put("isError", true);
    }
    if (result instanceof CallResult.Searched searched) {
      SearchOutcome outcome = searched.outcome();
      if (!outcome.addedToolNames().isEmpty()) {
        answer.put("_meta", Map.of(ADDED, outcome.addedToolNames()));
      }
    }
    return answer;
  }

  /** A failure that the model should know of. */
  static Map<String, Object> error(String text) {
    return Map.of("content", text(text), "isError", true);
  }

  private static List<Map<String, String>> text(String text) {
    return List.of(Map.of("type", "text", "text", text));
  }

  private static @Nullable ToolResult payload(CallResult result) {
    return result instanceof CallResult.Completed completed
        ? completed.payload()
        : result instanceof CallResult.Failed failed ? failed.payload() : null;
  }
}
