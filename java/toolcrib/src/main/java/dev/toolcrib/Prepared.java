package dev.toolcrib;

import dev.toolcrib.CallResult.Completed;
import dev.toolcrib.CallResult.InvalidArguments;
import dev.toolcrib.CallResult.NotActive;
import dev.toolcrib.CallResult.NotFound;
import dev.toolcrib.CallResult.Problem;
import dev.toolcrib.CallResult.Searched;
import org.jspecify.annotations.Nullable;

/** What the native side makes of a call. */
sealed interface Prepared {

  /**
   * The call can be decided on and executed.
   *
   * @param revision of the tool's source when the call was prepared
   * @param arguments valid, and as the tool wants them
   */
  record Ready(ToolInfo tool, long revision, String arguments) implements Prepared {}

  /** Nothing is left to execute. */
  record Settled(CallResult result) implements Prepared {}

  /** A script is to be run. */
  record Script(String code) implements Prepared {}

  private static CallResult described(String text) {
    return new Completed(null, text, false, ToolResult.text(text));
  }

  /**
   * Reads what came of a call with these arguments, which are not repeated if the tool wants them
   * as they are.
   */
  static Prepared read(FrameReader frame, String arguments) {
    int form = frame.count();
    return switch (form) {
      case 0 -> {
        ToolInfo tool = ToolFrames.readInfo(frame);
        long revision = frame.number();
        yield new Ready(tool, revision, frame.flag() ? frame.text() : arguments);
      }
      case 1 -> new Settled(new Searched(SearchOutcome.read(frame)));
      case 2 -> {
        String text = frame.text();
        ToolInfo tool = optionalTool(frame);
        yield new Settled(new InvalidArguments(tool, text, frame.list(Problem::read)));
      }
      case 3 -> new Settled(new NotFound(frame.text()));
      case 4 -> {
        String text = frame.text();
        yield new Settled(new NotActive(optionalTool(frame), text));
      }
      case 5 -> new Settled(described(frame.text()));
      case 6 -> new Script(frame.text());
      default -> throw frame.broken("unknown form of a prepared call " + form);
    };
  }

  private static @Nullable ToolInfo optionalTool(FrameReader frame) {
    return frame.flag() ? ToolFrames.readInfo(frame) : null;
  }
}
