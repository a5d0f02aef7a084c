package dev.toolcrib;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call as it stood in a model's answer; see {@link ToolSession#decodeCalls}. Nothing of it is
 * checked yet: the name may be of no tool, and the arguments may be no JSON.
 */
public final class ModelCall {

  private final Endpoint endpoint;
  private final @Nullable String id;
  private final String name;
  private final @Nullable String namespace;
  private final boolean providerSearch;
  private final String arguments;

  private ModelCall(Endpoint endpoint, FrameReader frame) {
    this.endpoint = endpoint;
    id = frame.optionalText();
    name = frame.text();
    namespace = frame.optionalText();
    providerSearch = frame.flag();
    arguments = frame.text();
  }

  static List<ModelCall> readAll(Endpoint endpoint, FrameReader frame) {
    return frame.list(call -> new ModelCall(endpoint, call));
  }

  /**
   * The id that the provider gave the call.
   *
   * @return the id; null from a provider that gives none
   */
  public @Nullable String id() {
    return id;
  }

  /**
   * The name as the model wrote it.
   *
   * @return a name, possibly of no tool at all
   */
  public String name() {
    return name;
  }

  /**
   * OpenAI's namespace of the call, which stands in the model's own message and must be sent back
   * with it.
   *
   * @return the namespace; null where there is none
   */
  public @Nullable String namespace() {
    return namespace;
  }

  /**
   * The arguments as the model gave them, in the form of the declaration.
   *
   * @return usually a JSON object; otherwise what the model wrote in place of one
   */
  public String arguments() {
    return arguments;
  }

  /**
   * The call for {@link ToolSession#call}, which maps the arguments back by the declaration that
   * the model was given. Add a position with {@link CallRequest#withPosition}.
   *
   * @return the request
   */
  public CallRequest request() {
    CallRequest request = CallRequest.of(name, arguments).withEndpoint(endpoint);
    return id == null ? request : request.withCallId(id);
  }

  /**
   * Joins the call and what came of it, for {@link ToolSession#encodeResults}.
   *
   * @param result the result of the call
   * @return the answered call
   */
  public AnsweredCall answer(CallResult result) {
    return new AnsweredCall(this, requireNonNull(result, "result"), List.of());
  }

  /**
   * The call without a result, because it was not made. The provider wants an answer all the same,
   * and gets one that says so.
   *
   * @return the call
   */
  public AnsweredCall unanswered() {
    return new AnsweredCall(this, null, List.of());
  }

  void writeTo(FrameWriter frame) {
    frame.optionalText(id).text(name).flag(providerSearch);
  }

  @Override
  public String toString() {
    return "ModelCall[%s, %s]".formatted(id, name);
  }
}
