package dev.toolcrib;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of a script.
 *
 * @param text what the model should read: how it ended, the head and tail of the output, and of a
 *     failure its kind and the calls that were made before
 * @param output everything that it wrote, and what it returned; also of a script that failed
 * @param value what it returned as JSON; null if that was nothing, and after a failure
 * @param failure why it did not complete; null if it did
 * @param calls its calls of tools in order, unmodifiable; what they did is not undone by a failure
 * @param ran how long it ran, the time that it waited for tools left out
 * @param waited how long it waited for tools
 */
public record ScriptResult(
    String text,
    String output,
    @Nullable String value,
    @Nullable Failure failure,
    List<Call> calls,
    Duration ran,
    Duration waited) {

  /** Copies the calls. */
  public ScriptResult {
    calls = List.copyOf(calls);
  }

  /**
   * Whether the script ran to its end.
   *
   * @return false if there is a failure
   */
  public boolean completed() {
    return failure == null;
  }

  static ScriptResult read(FrameReader frame) {
    return new ScriptResult(
        frame.text(),
        frame.text(),
        frame.optionalText(),
        frame.flag() ? new Failure(frame.constant(Kind.values()), frame.text()) : null,
        frame.list(Call::read),
        Duration.ofNanos(frame.number()),
        Duration.ofNanos(frame.number()));
  }

  /** A script that was not run. */
  static ScriptResult notRun(Kind kind, String message) {
    return new ScriptResult(
        "The script was not run: " + message,
        "",
        null,
        new Failure(kind, message),
        List.of(),
        Duration.ZERO,
        Duration.ZERO);
  }

  /**
   * Why a script did not complete.
   *
   * @param kind what kind of failure
   * @param message what happened; of an error of the script's own, with its line
   */
  public record Failure(Kind kind, String message) {}

  /** The kinds of failure. */
  public enum Kind {
    /** The script is wrong: it does not parse, or an error of it was not caught. */
    SCRIPT,
    /** It took too long. */
    TIMEOUT,
    /** It was cancelled, or its session or registry was closed. */
    CANCELLED,
    /** It needed more of something than it may have. */
    LIMIT,
    /** The sandbox failed. */
    SANDBOX
  }

  /**
   * A call that the script made.
   *
   * @param number its number, from 1
   * @param tool the tool's public name
   * @param state how it stands
   */
  public record Call(int number, String tool, State state) {

    static Call read(FrameReader frame) {
      return new Call(frame.count(), frame.text(), frame.constant(State.values()));
    }
  }

  /** How a call stands when the script has ended. */
  public enum State {
    /** It never began. */
    NOT_BEGUN,
    /** It was begun, and the script ended before it did; the tool may go on. */
    UNKNOWN,
    /** The tool did its work. */
    COMPLETED,
    /** The tool was executed and failed. */
    FAILED,
    /** The arguments did not fit. */
    INVALID_ARGUMENTS,
    /** The caller may not do it. */
    REFUSED,
    /** The caller has no such tool. */
    NOT_FOUND,
    /** The tool could not be executed. */
    UNAVAILABLE
  }
}
