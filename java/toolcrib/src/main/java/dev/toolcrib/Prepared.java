package dev.toolcrib;

import dev.toolcrib.CallResult.Completed;
import dev.toolcrib.CallResult.InvalidArguments;
import dev.toolcrib.CallResult.NotActive;
import dev.toolcrib.CallResult.NotFound;
import dev.toolcrib.CallResult.Problem;
import dev.toolcrib.CallResult.Searched;

/** What the native side makes of a call. */
sealed interface Prepared {

  /**
   * The call can be decided on and executed.
   *
   * @param arguments valid, and as the tool wants them
   */
  record Ready(ToolInfo tool, String arguments) implements Prepared {}

  /** Nothing is left to execute. */
  record Settled(CallResult result) implements Prepared {}

  private static CallResult described(String text) {
    return new Completed(text, false, ToolResult.text(text));
  }

  static Prepared read(FrameReader frame) {
    int form = frame.count();
    return switch (form) {
      case 0 -> new Ready(ToolFrames.readInfo(frame), frame.text());
      case 1 -> new Settled(new Searched(SearchOutcome.read(frame)));
      case 2 -> new Settled(new InvalidArguments(frame.text(), frame.list(Problem::read)));
      case 3 -> new Settled(new NotFound(frame.text()));
      case 4 -> new Settled(new NotActive(frame.text()));
      case 5 -> new Settled(described(frame.text()));
      default -> throw frame.broken("unknown form of a prepared call " + form);
    };
  }
}
