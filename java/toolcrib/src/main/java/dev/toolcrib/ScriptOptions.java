package dev.toolcrib;

import static java.util.Objects.requireNonNull;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How a script is run. What bounds it are the {@code SCRIPT_…} {@linkplain Limit limits} of the
 * registry.
 *
 * @param callId the id of the call that the script is; its own calls have ids that begin with it;
 *     null lets one be made
 */
public record ScriptOptions(@Nullable String callId) {

  private static final ScriptOptions DEFAULTS = new ScriptOptions(null);

  /**
   * Options of a script that nobody has an id for.
   *
   * @return the options
   */
  public static ScriptOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Options of a script with an id.
   *
   * @param callId the id
   * @return the options
   */
  public static ScriptOptions withCallId(String callId) {
    return new ScriptOptions(requireNonNull(callId, "callId"));
  }

  String callIdOrNew() {
    return callId == null ? UUID.randomUUID().toString() : callId;
  }
}
