package dev.toolcrib.spring.boot;

import dev.toolcrib.AnsweredCall;
import dev.toolcrib.CallRequest;
import dev.toolcrib.CallResult;
import dev.toolcrib.Caller;
import dev.toolcrib.Endpoint;
import dev.toolcrib.ModelCall;
import dev.toolcrib.RenderedTools;
import dev.toolcrib.ScriptOptions;
import dev.toolcrib.ScriptResult;
import dev.toolcrib.SearchOutcome;
import dev.toolcrib.SearchRequest;
import dev.toolcrib.Target;
import dev.toolcrib.ToolSession;
import dev.toolcrib.ToolcribException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One use of a conversation's session, which stays open until this is closed and its calls are
 * done. Every method but {@link #close} throws {@link IllegalStateException} after that.
 *
 * <p>Safe for use by many threads.
 */
public final class ToolConversation implements AutoCloseable {

  private final Lease lease;
  private final SessionEvents events;

  ToolConversation(Lease lease, SessionEvents events) {
    this.lease = lease;
    this.events = events;
  }

  /**
   * Whose conversation it is.
   *
   * @return the caller
   */
  public Caller caller() {
    return session().caller();
  }

  /**
   * Searches the tools that the caller may discover and activates those found.
   *
   * @param query what the tool should do, or its name
   * @return what was found
   */
  public SearchOutcome search(String query) {
    return search(SearchRequest.of(query));
  }

  /**
   * Searches the tools that the caller may discover and activates those found.
   *
   * @param request what to search for
   * @return what was found
   */
  public SearchOutcome search(SearchRequest request) {
    long start = events.now();
    SearchOutcome outcome = session().search(request);
    events.searched(session(), outcome, start);
    return outcome;
  }

  /**
   * Activates tools by name. Names that the caller may not discover, or that are active already,
   * are passed over.
   *
   * @param names public names
   * @param position the turn or message id to record; may be null
   * @return the names that were added to the active set, in its order
   */
  public List<String> activate(Collection<String> names, @Nullable String position) {
    List<String> added = session().activate(names, position);
    events.activated(session(), added);
    return added;
  }

  /**
   * The active set for {@link Endpoint#of(Target)}: as every endpoint of a format takes it.
   *
   * @param target the provider's format
   * @return the declarations
   */
  public RenderedTools render(Target target) {
    return session().render(target);
  }

  /**
   * The active set as an endpoint wants to see it: the declarations of the next request.
   *
   * @param endpoint what the endpoint can do; the same one all through the conversation
   * @return the declarations
   */
  public RenderedTools render(Endpoint endpoint) {
    return session().render(endpoint);
  }

  /**
   * Reads every call of one answer of a model, in order; see {@link
   * ToolSession#decodeCalls(Endpoint, String)}.
   *
   * @param endpoint the endpoint that the tools were rendered for
   * @param answer JSON: the provider's whole response, its message, or the list of its parts
   * @return the calls, unmodifiable; none where the model called nothing
   * @throws ToolcribException if the answer is no JSON or over a limit
   */
  public List<ModelCall> decodeCalls(Endpoint endpoint, String answer) {
    return session().decodeCalls(endpoint, answer);
  }

  /**
   * Writes the answers to all calls of one answer of a model, as the provider wants them behind the
   * model's own message.
   *
   * @param endpoint the endpoint that the tools were rendered for
   * @param turn every call of the turn, in the order of the model's answer
   * @return JSON objects, messages or items, to be appended to the history in this order
   */
  public List<String> encodeResults(Endpoint endpoint, List<AnsweredCall> turn) {
    return session().encodeResults(endpoint, turn);
  }

  /**
   * Handles a call of the model. The session stays open until the call is done, even if this
   * conversation is closed before.
   *
   * @param request the call as the model made it
   * @return completes with the result, and exceptionally only for a bug
   */
  public CompletableFuture<CallResult> call(CallRequest request) {
    return whileOpen(session -> session.call(request));
  }

  /**
   * Runs a script that calls tools; see {@link ToolSession#runScript}. The session stays open until
   * the script has ended, even if this conversation is closed before.
   *
   * @param code JavaScript, the body of an async function
   * @param options its call id
   * @return completes with the result; cancelling it cancels the script
   */
  public CompletionStage<ScriptResult> runScript(String code, ScriptOptions options) {
    return whileOpen(session -> session.runScript(code, options).toCompletableFuture());
  }

  private <T> CompletableFuture<T> whileOpen(Function<ToolSession, CompletableFuture<T>> work) {
    ToolSession session = session();
    Lease untilDone = lease.again();
    try {
      CompletableFuture<T> result = work.apply(session);
      // Not what this gives, which would not pass a cancellation on.
      var unused = result.whenComplete((done, failure) -> untilDone.close());
      return result;
    } catch (RuntimeException | Error e) {
      untilDone.close();
      throw e;
    }
  }

  /**
   * The session, for what else it can do: checkpoints, rewinding, forking, its state. Not to be
   * closed, nor kept after this is closed.
   *
   * @return the session
   */
  public ToolSession session() {
    return lease.session();
  }

  /** Ends this use. The conversation itself goes on; nothing happens the second time. */
  @Override
  public void close() {
    lease.close();
  }
}
