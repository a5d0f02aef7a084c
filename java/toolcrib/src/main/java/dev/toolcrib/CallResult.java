package dev.toolcrib;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of a call. Whatever happened, {@link #text()} is what the model should read.
 *
 * <p>A tool that does not exist and a tool that the caller may not know of give the same result.
 */
public sealed interface CallResult {

  /**
   * What the model reads.
   *
   * @return text; for a result of a tool its preview
   */
  String text();

  /**
   * The tool that the call came to.
   *
   * @return the tool; null where the call came to none, or to one of Toolcrib's own
   */
  @Nullable ToolInfo tool();

  /**
   * Whether the model should take the text for an error.
   *
   * @return true for everything but {@link Completed}, {@link Searched} and a {@link Scripted} of a
   *     script that completed
   */
  default boolean isError() {
    return true;
  }

  /**
   * The tool did its work.
   *
   * @param tool the tool; null for one of Toolcrib's own
   * @param text the result, cut to {@link Limit#PREVIEW_BYTES}; says what was cut
   * @param truncated whether something was cut
   * @param payload the whole result
   */
  record Completed(@Nullable ToolInfo tool, String text, boolean truncated, ToolResult payload)
      implements CallResult {
    @Override
    public boolean isError() {
      return false;
    }
  }

  /**
   * The call was one of {@code tool_search}.
   *
   * @param outcome what was found and activated
   */
  record Searched(SearchOutcome outcome) implements CallResult {
    @Override
    public @Nullable ToolInfo tool() {
      return null;
    }

    @Override
    public String text() {
      return outcome.text();
    }

    @Override
    public boolean isError() {
      return false;
    }
  }

  /**
   * The call was one of {@code codemode}.
   *
   * @param result what came of the script
   */
  record Scripted(ScriptResult result) implements CallResult {
    @Override
    public @Nullable ToolInfo tool() {
      return null;
    }

    @Override
    public String text() {
      return result.text();
    }

    @Override
    public boolean isError() {
      return !result.completed();
    }
  }

  /**
   * The tool was executed and failed.
   *
   * @param tool the tool
   * @param text what the tool says of it, cut like a result
   * @param payload what the tool answered; null if it threw
   */
  record Failed(ToolInfo tool, String text, @Nullable ToolResult payload) implements CallResult {}

  /**
   * The arguments do not satisfy the input schema; nothing was executed.
   *
   * @param tool the tool; null for one of Toolcrib's own
   * @param text all problems
   * @param problems each problem, the first ones if there are very many
   */
  record InvalidArguments(@Nullable ToolInfo tool, String text, List<Problem> problems)
      implements CallResult {}

  /**
   * The caller may use the tool, but not in this way: the authorizer or an interceptor refused the
   * call.
   *
   * @param tool the tool
   * @param text the reason
   */
  record Refused(ToolInfo tool, String text) implements CallResult {}

  /**
   * There is no such tool for this caller.
   *
   * @param text says so, with names the caller may know that look alike
   */
  record NotFound(String text) implements CallResult {
    @Override
    public @Nullable ToolInfo tool() {
      return null;
    }
  }

  /**
   * The caller may use the tool, but this session has not activated it.
   *
   * @param tool the tool
   * @param text says how to activate it
   */
  record NotActive(@Nullable ToolInfo tool, String text) implements CallResult {}

  /**
   * The tool cannot be executed now: nothing executes it, its executor has no room, or it took
   * longer than the registry's call timeout.
   *
   * @param tool the tool; null for {@code codemode}
   * @param text says which
   */
  record Unavailable(@Nullable ToolInfo tool, String text) implements CallResult {}

  /**
   * One thing wrong with the arguments.
   *
   * @param path JSON Pointer to the offending value, empty for the whole
   * @param keyword the schema keyword that is not met, for example {@code required}
   * @param message what is wrong
   * @param allowed what is allowed; empty where the message says it all
   */
  record Problem(String path, String keyword, String message, String allowed) {

    static Problem read(FrameReader frame) {
      return new Problem(frame.text(), frame.text(), frame.text(), frame.text());
    }
  }
}
