package dev.toolcrib;

/** Tools in frames. */
final class ToolFrames {

  private ToolFrames() {}

  static void writeDefinition(FrameWriter frame, ToolDefinition tool) {
    frame.text(tool.name()).optionalText(tool.title()).text(tool.description());
    frame.text(tool.inputSchema()).optionalText(tool.outputSchema());
    ToolAnnotations hints = tool.annotations();
    frame.optionalText(hints.title());
    frame.optional(hints.readOnly(), FrameWriter::flag);
    frame.optional(hints.destructive(), FrameWriter::flag);
    frame.optional(hints.idempotent(), FrameWriter::flag);
    frame.optional(hints.openWorld(), FrameWriter::flag);
    frame.optionalText(tool.meta()).optionalText(tool.domain());
    frame.texts(tool.tags()).texts(tool.keywords());
    frame.optional(tool.exposure(), FrameWriter::constant);
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
}
