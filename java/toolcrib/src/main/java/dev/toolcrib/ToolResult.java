package dev.toolcrib;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * What a tool answers.
 *
 * @param text what the model reads; Toolcrib cuts it to a preview
 * @param structuredContent the same as JSON, for code; not shown to the model
 * @param isError whether the tool failed; the text then says how
 * @param content the result as an array of MCP content blocks in JSON, for who can show images,
 *     sounds and resources; null where it is nothing but the text
 */
public record ToolResult(
    String text, @Nullable String structuredContent, boolean isError, @Nullable String content) {

  /** Checks that there is a text. */
  public ToolResult {
    requireNonNull(text, "text");
  }

  /**
   * A result that is all text, or text and the same as JSON.
   *
   * @param text what the model reads
   * @param structuredContent the same as JSON; may be null
   * @param isError whether the tool failed
   */
  public ToolResult(String text, @Nullable String structuredContent, boolean isError) {
    this(text, structuredContent, isError, null);
  }

  /**
   * A result of plain text.
   *
   * @param text the text
   * @return the result
   */
  public static ToolResult text(String text) {
    return new ToolResult(text, null, false);
  }

  /**
   * A structured result; the model reads the same JSON.
   *
   * @param json a JSON value
   * @return the result
   */
  public static ToolResult json(String json) {
    return new ToolResult(json, json, false);
  }

  /**
   * A failure the model should know of.
   *
   * @param message what went wrong and, if possible, what to do about it
   * @return the result
   */
  public static ToolResult error(String message) {
    return new ToolResult(message, null, true);
  }
}
