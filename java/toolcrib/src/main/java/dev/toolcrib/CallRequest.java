package dev.toolcrib;

import static java.util.Objects.requireNonNull;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A call as the model made it.
 *
 * @param name the name that the model called
 * @param arguments the arguments that it gave, a JSON object; blank stands for an empty one
 * @param callId the id of the call; null lets one be made
 * @param position the turn or message id, for calls of {@code tool_search}
 * @param endpoint for which the model's declarations were rendered, to map its arguments back; null
 *     where the arguments are meant for the tool's own schema
 * @param allowInactive whether the tool may be called although it is not in the active set; the
 *     caller needs the right to it all the same
 */
public record CallRequest(
    String name,
    String arguments,
    @Nullable String callId,
    @Nullable String position,
    @Nullable Endpoint endpoint,
    boolean allowInactive) {

  /** Checks that name and arguments are there. */
  public CallRequest {
    requireNonNull(name, "name");
    requireNonNull(arguments, "arguments");
  }

  /**
   * A call of an active tool, with arguments for the tool's own schema.
   *
   * @param name the name that the model called
   * @param arguments a JSON object
   * @return the request
   */
  public static CallRequest of(String name, String arguments) {
    return new CallRequest(name, arguments, null, null, null, false);
  }

  /**
   * This request with an id.
   *
   * @param callId the id that the model gave the call
   * @return a new request
   */
  public CallRequest withCallId(String callId) {
    return new CallRequest(name, arguments, callId, position, endpoint, allowInactive);
  }

  /**
   * This request with a position.
   *
   * @param position the turn or message id
   * @return a new request
   */
  public CallRequest withPosition(String position) {
    return new CallRequest(name, arguments, callId, position, endpoint, allowInactive);
  }

  /**
   * This request by a model that saw the declarations of {@link Endpoint#of(Target)}.
   *
   * @param target the format
   * @return a new request
   */
  public CallRequest withTarget(Target target) {
    return withEndpoint(Endpoint.of(target));
  }

  /**
   * This request by a model that saw the declarations for an endpoint.
   *
   * @param endpoint the endpoint
   * @return a new request
   */
  public CallRequest withEndpoint(Endpoint endpoint) {
    return new CallRequest(name, arguments, callId, position, endpoint, allowInactive);
  }

  /**
   * This request, whether the tool is active or not.
   *
   * @return a new request
   */
  public CallRequest allowingInactive() {
    return new CallRequest(name, arguments, callId, position, endpoint, true);
  }

  void writeTo(FrameWriter frame) {
    frame.lenientText(name).lenientText(arguments).optional(endpoint, (f, of) -> of.writeTo(f));
    frame.optionalText(position).flag(allowInactive);
  }

  String callIdOrNew() {
    return callId == null ? UUID.randomUUID().toString() : callId;
  }
}
