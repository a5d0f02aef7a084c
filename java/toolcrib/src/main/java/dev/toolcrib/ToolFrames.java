package dev.toolcrib;

import org.jspecify.annotations.Nullable;

/** Tools in frames. */
final class ToolFrames {

  private ToolFrames() {}

  static void writeDefinition(FrameWriter frame, ToolDefinition tool) {
    frame.text(tool.name()).optionalText(tool.title()).text(tool.description());
    frame.text(tool.inputSchema()).optionalText(tool.outputSchema());
    ToolAnnotations hints = tool.annotations();
    frame.optionalText(hints.title());
    writeHint(frame, hints.readOnly());
    writeHint(frame, hints.destructive());
    writeHint(frame, hints.idempotent());
    writeHint(frame, hints.openWorld());
    frame.optionalText(tool.meta()).optionalText(tool.domain());
    frame.texts(tool.tags()).texts(tool.keywords());
    Exposure exposure = tool.exposure();
    frame.flag(exposure != null);
    if (exposure != null) {
      frame.constant(exposure);
    }
  }

  static ToolInfo readInfo(FrameReader frame) {
    return new ToolInfo(
        frame.text(),
        frame.text(),
        frame.text(),
        frame.optionalText(),
        frame.text(),
        frame.optionalText(),
        frame.texts(),
        frame.constant(Exposure.values()),
        readAnnotations(frame));
  }

  private static ToolAnnotations readAnnotations(FrameReader frame) {
    return new ToolAnnotations(
        frame.optionalText(),
        frame.optionalFlag(),
        frame.optionalFlag(),
        frame.optionalFlag(),
        frame.optionalFlag());
  }

  private static void writeHint(FrameWriter frame, @Nullable Boolean hint) {
    frame.flag(hint != null);
    if (hint != null) {
      frame.flag(hint);
    }
  }
}
