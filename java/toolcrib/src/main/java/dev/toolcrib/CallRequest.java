package dev.toolcrib;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A call as the model made it.
 *
 * @param name the name that the model called
 * @param arguments the arguments that it gave, a JSON object; blank stands for an empty one
 * @param callId the id of the call; null lets one be made
 * @param position the turn or message id, for calls of {@code tool_search}
 */
public record CallRequest(
    String name, String arguments, @Nullable String callId, @Nullable String position) {

  /**
   * A call without id and position.
   *
   * @param name the name that the model called
   * @param arguments a JSON object
   * @return the request
   */
  public static CallRequest of(String name, String arguments) {
    return new CallRequest(name, arguments, null, null);
  }

  /**
   * This request with an id.
   *
   * @param callId the id that the model gave the call
   * @return a new request
   */
  public CallRequest withCallId(@Nullable String callId) {
    return new CallRequest(name, arguments, callId, position);
  }

  /**
   * This request with a position.
   *
   * @param position the turn or message id
   * @return a new request
   */
  public CallRequest withPosition(@Nullable String position) {
    return new CallRequest(name, arguments, callId, position);
  }

  String callIdOrNew() {
    return callId == null ? UUID.randomUUID().toString() : callId;
  }
}
