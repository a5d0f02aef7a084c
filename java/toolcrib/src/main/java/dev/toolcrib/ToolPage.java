package dev.toolcrib;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of the tools that a caller may discover, ordered by name.
 *
 * @param tools the tools, unmodifiable
 * @param total how many tools the caller may discover in all
 * @param nextCursor where the next page starts; null on the last
 */
public record ToolPage(List<Entry> tools, int total, @Nullable String nextCursor) {

  static ToolPage read(FrameReader frame) {
    return new ToolPage(frame.list(Entry::read), frame.count(), frame.optionalText());
  }

  /**
   * A tool with its schemas.
   *
   * @param tool the tool
   * @param inputSchema JSON Schema of the arguments
   * @param outputSchema JSON Schema of the structured result
   * @param meta {@code _meta}, a JSON object
   */
  public record Entry(
      ToolInfo tool, String inputSchema, @Nullable String outputSchema, @Nullable String meta) {

    static Entry read(FrameReader frame) {
      return new Entry(
          ToolFrames.readInfo(frame), frame.text(), frame.optionalText(), frame.optionalText());
    }
  }
}
