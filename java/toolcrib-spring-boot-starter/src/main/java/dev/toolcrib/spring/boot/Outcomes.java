package dev.toolcrib.spring.boot;

import dev.toolcrib.CallResult;
import dev.toolcrib.ScriptResult;
import dev.toolcrib.SearchOutcome;
import java.util.Locale;

/** The words for outcomes that the endpoints answer with and meters are tagged with. */
public final class Outcomes {

  private Outcomes() {}

  /**
   * The word for what came of a search.
   *
   * @param outcome what came of it
   * @return {@code found}, {@code already_active} or {@code nothing_found}
   */
  public static String of(SearchOutcome outcome) {
    if (outcome instanceof SearchOutcome.Found) {
      return "found";
    }
    return outcome instanceof SearchOutcome.AlreadyActive ? "already_active" : "nothing_found";
  }

  /**
   * The word for what came of a script.
   *
   * @param result what came of it
   * @return {@code completed}, or the kind of its failure: {@code script}, {@code timeout}, {@code
   *     cancelled}, {@code limit} or {@code sandbox}
   */
  public static String of(ScriptResult result) {
    return result.failure() == null
        ? "completed"
        : result.failure().kind().name().toLowerCase(Locale.ROOT);
  }

  /**
   * The word for what came of a call.
   *
   * @param result what came of it
   * @return {@code completed}, {@code searched}, {@code scripted}, {@code failed}, {@code
   *     invalid_arguments}, {@code refused}, {@code not_found}, {@code not_active} or {@code
   *     unavailable}
   */
  public static String of(CallResult result) {
    if (result instanceof CallResult.Completed) {
      return "completed";
    } else if (result instanceof CallResult.Searched) {
      return "searched";
    } else if (result instanceof CallResult.Scripted) {
      return "scripted";
    } else if (result instanceof CallResult.Failed) {
      return "failed";
    } else if (result instanceof CallResult.InvalidArguments) {
      return "invalid_arguments";
    } else if (result instanceof CallResult.Refused) {
      return "refused";
    } else if (result instanceof CallResult.NotFound) {
      return "not_found";
    } else if (result instanceof CallResult.NotActive) {
      return "not_active";
    }
    return "unavailable";
  }
}
