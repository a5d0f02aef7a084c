package dev.toolcrib;

import java.lang.ref.Reference;
import java.lang.ref.SoftReference;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One conversation of one caller: what the caller may discover, and what the model was given.
 *
 * <p>Sources that are {@linkplain ToolRegistry#expect expected} are waited for, in Java and for no
 * longer than {@link ToolRegistry.Builder#sourceWait}: by searches, scripts, calls of their tools,
 * and the first rendering for those with direct tools. What was not ready then is said in the
 * answer.
 *
 * <p>Safe for use by many threads. What the caller may use is asked again of the {@link
 * ToolAuthorizer} at every search, activation, rendering and call. Close it to free its native
 * memory; every method but {@link #close} then throws {@link IllegalStateException}, while calls
 * that are being executed finish.
 */
public final class ToolSession implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ToolSession.class);

  private static final int ROOM_BESIDE = 64;

  // What sessionAwaits is asked about.
  private static final int BEFORE_RENDERING = 0;
  private static final int BEFORE_SEARCH = 1;
  private static final int BEFORE_CALL = 2;

  private static final CompletableFuture<@Nullable Void> READY =
      CompletableFuture.completedFuture(null);

  private final ToolRegistry registry;
  private final String id;
  private final Caller caller;
  private final SessionRights rights;
  // Made once: every use of the session asks.
  private final Function<ToolSelection, List<String>> enforce = this::enforce;
  private final NativeHandle handle;
  private final @Nullable ToolCallListener listener;
  private final Set<ScriptRun> running = ConcurrentHashMap.newKeySet();
  private final WaitingCalls waiting = new WaitingCalls();
  // Spares copying all of it over the boundary again; memory that is wanted elsewhere wins.
  private volatile @Nullable SoftReference<RenderedTools> rendered;
  private volatile boolean waitedToRender;

  private ToolSession(
      ToolRegistry registry,
      String id,
      Caller caller,
      SessionRights rights,
      @Nullable ToolCallListener listener,
      long handle) {
    this.registry = registry;
    this.id = id;
    this.caller = caller;
    this.rights = rights;
    this.listener = listener;
    this.handle = new NativeHandle(this, "tool session", handle, NativeBridge::sessionClose);
  }

  /**
   * The session's id, as {@link ToolCall#sessionId()} has it.
   *
   * @return the id
   */
  public String id() {
    return id;
  }

  /**
   * Whose session it is.
   *
   * @return the caller
   */
  public Caller caller() {
    return caller;
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
    FrameWriter frame = new FrameWriter();
    request.writeTo(frame);
    readyToSearch().join();
    refresh();
    return FrameReader.read(ask(NativeBridge::sessionSearch, frame), SearchOutcome::read);
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
    FrameWriter frame = new FrameWriter().texts(names).optionalText(position);
    refresh();
    return FrameReader.read(ask(NativeBridge::sessionActivate, frame), FrameReader::texts);
  }

  /**
   * The active set for {@link Endpoint#of(Target)}: as every endpoint of a format takes it.
   *
   * @param target the provider's format
   * @return the declarations
   */
  public RenderedTools render(Target target) {
    return render(Endpoint.of(target));
  }

  /**
   * The active set as an endpoint wants to see it: the declarations of the next request. Where
   * nothing has changed this is the same object again.
   *
   * @param endpoint what the endpoint can do; the same one all through a conversation
   * @return the declarations
   */
  public RenderedTools render(Endpoint endpoint) {
    if (!waitedToRender) {
      ready(BEFORE_RENDERING, frame -> {}).join();
      waitedToRender = true;
    }
    SoftReference<RenderedTools> kept = rendered;
    RenderedTools last = kept == null ? null : kept.get();
    refresh();
    if (last != null && last.endpoint().equals(endpoint) && isRendered(last.revision())) {
      return last;
    }
    FrameWriter frame = new FrameWriter();
    endpoint.writeTo(frame);
    RenderedTools read =
        FrameReader.read(
            ask(NativeBridge::sessionRender, frame), f -> RenderedTools.read(endpoint, f));
    rendered = new SoftReference<>(read);
    return read;
  }

  /**
   * Reads every call of one answer of a model, in order. Calls that the provider runs itself are
   * left out. What the model got wrong in a call is said when it is {@linkplain #call made}.
   *
   * @param endpoint the endpoint that the tools were rendered for
   * @param answer JSON: the provider's whole response, its message, or the list of its parts
   * @return the calls, unmodifiable; none where the model called nothing
   * @throws ToolcribException if the answer is no JSON or over a limit
   */
  public List<ModelCall> decodeCalls(Endpoint endpoint, String answer) {
    return decodeCalls(endpoint, Text.leniently(answer));
  }

  /**
   * The same as {@link #decodeCalls(Endpoint, String)}.
   *
   * @param endpoint the endpoint that the tools were rendered for
   * @param answer JSON in UTF-8
   * @return the calls, unmodifiable
   * @throws ToolcribException if the answer is no JSON or over a limit
   */
  public List<ModelCall> decodeCalls(Endpoint endpoint, byte[] answer) {
    FrameWriter frame = new FrameWriter(answer.length + ROOM_BESIDE);
    endpoint.writeTo(frame);
    frame.bytes(answer);
    return FrameReader.read(
        ask(NativeBridge::sessionDecode, frame), read -> ModelCall.readAll(endpoint, read));
  }

  /**
   * Writes the answers to all calls of one answer of a model, as the provider wants them behind the
   * model's own message. The answer to a search becomes what its activation leaves in the history.
   *
   * @param endpoint the endpoint that the tools were rendered for
   * @param turn every call of the turn, in the order of the model's answer
   * @return JSON objects, messages or items, to be appended to the history in this order
   */
  public List<String> encodeResults(Endpoint endpoint, List<AnsweredCall> turn) {
    FrameWriter frame = new FrameWriter();
    endpoint.writeTo(frame);
    frame.list(turn, (f, answered) -> answered.writeTo(f));
    refresh();
    return FrameReader.read(ask(NativeBridge::sessionEncode, frame), FrameReader::texts);
  }

  /**
   * Handles a call of the model: finds the tool among the active ones, validates the arguments,
   * asks the interceptors and the authorizer, executes. Calls of {@code tool_search} and {@code
   * codemode} are handled here as well.
   *
   * @param request the call as the model made it
   * @return completes with the result, and exceptionally only for a bug; completing or cancelling
   *     it does not stop the tool
   */
  public CompletableFuture<CallResult> call(CallRequest request) {
    return CallPipeline.call(this, request);
  }

  /**
   * Runs a script that calls tools, as a model's call of {@code codemode} does. It reaches the
   * active tools of exposure {@link Exposure#DIRECT} and all of {@link Exposure#CODEMODE} and
   * {@link Exposure#DEFERRED} that the caller may use; each of its calls is validated, authorized
   * and executed like one of the model.
   *
   * @param code JavaScript, the body of an async function
   * @param options its call id
   * @return completes with the result, whatever the script does; exceptionally with {@link
   *     ToolcribException} of code {@code scripts_busy} if there is no room for it now, with {@link
   *     IllegalArgumentException} if the code has half a surrogate pair, and with {@link
   *     IllegalStateException} if the session is closed. Cancelling it cancels the script: calls
   *     that were begun are not undone.
   */
  public CompletionStage<ScriptResult> runScript(String code, ScriptOptions options) {
    String callId = options.callIdOrNew();
    CallRequest request = CallRequest.of("codemode", "").withCallId(callId);
    long start = System.nanoTime();
    return start(
        code,
        callId,
        result -> {
          Duration took = Duration.ofNanos(System.nanoTime() - start);
          CallResult scripted = new CallResult.Scripted(result);
          tell(new HandledCall(this, callId, null, request, scripted, took));
        });
  }

  /** The same for a call of the model, whose result says what went wrong. */
  CompletableFuture<CallResult> runScript(String code, String callId) {
    return start(code, callId, result -> {})
        .handle(
            (done, failure) -> {
              if (done != null) {
                return new CallResult.Scripted(done);
              }
              Throwable cause = unwrapped(failure);
              if (cause instanceof ToolcribException e
                  && Set.of("scripts_busy", "no_thread").contains(e.code())) {
                return new CallResult.Unavailable(
                    null, "There is no room for the script now: " + e.getMessage() + ".");
              }
              throw new CompletionException(cause);
            });
  }

  private CompletableFuture<ScriptResult> start(
      String code, String callId, Consumer<ScriptResult> first) {
    CompletableFuture<@Nullable Void> ready = readyToSearch();
    if (ready.isDone()) {
      return startNow(code, callId, first);
    }
    CompletableFuture<ScriptResult> result = new CompletableFuture<>();
    var unused =
        waiting
            .begin(
                callId,
                ready,
                registry.callExecutor()::execute,
                () -> {
                  if (result.isDone()) {
                    return result;
                  }
                  CompletableFuture<ScriptResult> started = startNow(code, callId, first);
                  // Cancelling what was given cancels the script.
                  var unusedToo = result.whenComplete((value, failure) -> started.cancel(false));
                  return started;
                },
                () -> ScriptResult.notRun(ScriptResult.Kind.CANCELLED, "it was cancelled."),
                () -> cancel(callId))
            .whenComplete(
                (done, failure) -> {
                  if (failure == null) {
                    result.complete(done);
                  } else {
                    result.completeExceptionally(unwrapped(failure));
                  }
                });
    return result;
  }

  private CompletableFuture<ScriptResult> startNow(
      String code, String callId, Consumer<ScriptResult> first) {
    ScriptRun run = new ScriptRun(this, callId, first);
    try {
      byte[] utf8 = Text.utf8(code);
      refresh();
      running.add(run);
      run.start(NativeBridge.scriptStart(registry.scriptPool(), openId(), utf8, run));
      if (handle.isClosed()) {
        // Closed meanwhile, perhaps before the script was among those to be cancelled.
        run.cancel();
      }
      return run.result();
    } catch (ToolcribException e) {
      running.remove(run);
      return e.code().equals("limit_exceeded")
          ? CompletableFuture.completedFuture(
              ScriptResult.notRun(ScriptResult.Kind.LIMIT, String.valueOf(e.getMessage())))
          : CompletableFuture.failedFuture(e);
    } catch (RuntimeException e) {
      running.remove(run);
      return CompletableFuture.failedFuture(e);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Cancels a script of this session, whether {@link #call} or {@link #runScript} began it: it ends
   * as {@link ScriptResult.Kind#CANCELLED}, with what it has written, and calls that it has begun
   * are not undone. A call that still waits for its source is not made; one of a tool that is being
   * executed goes on.
   *
   * @param callId the id of the call
   * @return false if there was nothing to cancel
   */
  public boolean cancel(String callId) {
    boolean waited = waiting.cancel(callId);
    List<ScriptRun> scripts =
        running.stream().filter(script -> script.callId().equals(callId)).toList();
    scripts.forEach(ScriptRun::cancel);
    return waited || !scripts.isEmpty();
  }

  /** The calls that wait for sources. */
  WaitingCalls waiting() {
    return waiting;
  }

  /** What failed, without what a future puts around it. */
  static Throwable unwrapped(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /** Completes when the sources that a call depends on are not waited for any more. */
  CompletableFuture<@Nullable Void> readyToCall(CallRequest request) {
    return ready(BEFORE_CALL, request::writeTo);
  }

  private CompletableFuture<@Nullable Void> readyToSearch() {
    return ready(BEFORE_SEARCH, frame -> {});
  }

  private CompletableFuture<@Nullable Void> ready(int step, Consumer<FrameWriter> about) {
    AwaitedSources awaited = registry.awaited();
    if (awaited.isEmpty()) {
      return READY;
    }
    FrameWriter frame = new FrameWriter().number(step);
    about.accept(frame);
    refresh();
    return awaited.ready(
        FrameReader.read(ask(NativeBridge::sessionAwaits, frame), FrameReader::texts));
  }

  /** Forgets a script that has ended. */
  void ended(ScriptRun run) {
    running.remove(run);
  }

  void tell(HandledCall call) {
    if (listener == null) {
      return;
    }
    try {
      listener.called(call);
    } catch (Throwable e) {
      LOG.warn("{} threw", listener.getClass().getName(), e);
    }
  }

  /**
   * Asks the authorizer what the caller may use now. Every method that depends on it does the same
   * first; call it to learn what was lost.
   *
   * @return the tools of the active set that the caller lost by it, in their order
   */
  public List<String> refresh() {
    return rights.refresh(enforce);
  }

  private List<String> enforce(ToolSelection selection) {
    FrameWriter frame = new FrameWriter();
    selection.writeTo(frame);
    return FrameReader.read(ask(NativeBridge::sessionAuthorize, frame), FrameReader::texts);
  }

  /**
   * What the session knows of its tools.
   *
   * @return the state
   */
  public SessionState state() {
    return FrameReader.read(ask(NativeBridge::sessionState), SessionState::read);
  }

  /**
   * Marks this moment, to {@link #rewind} to.
   *
   * @return the mark
   */
  public Checkpoint checkpoint() {
    return checkpoint(new FrameWriter().optionalText(null));
  }

  /**
   * Marks this moment in the journal too, so that {@link #rewindTo} finds it, in a restored session
   * as well.
   *
   * @param position the turn or message id
   * @return the mark
   * @throws ToolcribException if the position is too long or there are too many marks
   */
  public Checkpoint checkpoint(String position) {
    return checkpoint(new FrameWriter().optionalText(position));
  }

  /**
   * Undoes every activation since a checkpoint.
   *
   * @param checkpoint a mark of this session
   * @throws ToolcribException if the journal does not have it any more
   */
  public void rewind(Checkpoint checkpoint) {
    rewind(new FrameWriter().optionalText(null).number(checkpoint.id));
  }

  /**
   * Undoes every activation after the last one at a position.
   *
   * @param position the turn or message id of an activation or checkpoint
   * @throws ToolcribException if the journal has no such position
   */
  public void rewindTo(String position) {
    rewind(new FrameWriter().optionalText(position));
  }

  /**
   * A second session that starts with what this one has now, for a branch of the conversation.
   *
   * @return an independent session, to be closed on its own
   */
  public ToolSession fork() {
    try {
      return rights.with(
          selection -> {
            long forked = NativeBridge.sessionFork(openId());
            SessionRights same = new SessionRights(rights.authorizer(), caller, selection);
            String newId = UUID.randomUUID().toString();
            return new ToolSession(registry, newId, caller, same, listener, forked);
          });
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * The active set and the journal as bytes that can be stored anywhere and {@linkplain
   * Builder#restore restored} on another node. Holds names and positions, no rights.
   *
   * @return a small, versioned byte string
   */
  public byte[] snapshot() {
    return ask(NativeBridge::sessionSnapshot);
  }

  /** Closes the session and cancels its scripts; nothing happens the second time. */
  @Override
  public void close() {
    // First, so that no call that fails for the closed session is what ends a script; and again for
    // those that began meanwhile.
    running.forEach(ScriptRun::cancel);
    handle.close();
    running.forEach(ScriptRun::cancel);
  }

  ToolRegistry registry() {
    return registry;
  }

  GuardedAuthorizer authorizer() {
    return rights.authorizer();
  }

  byte[] ask(NativeFunction function, FrameWriter frame) {
    return ask(id -> function.call(id, frame.toBytes()));
  }

  private byte[] ask(NativeQuery query) {
    try {
      return query.call(openId());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private Checkpoint checkpoint(FrameWriter frame) {
    try {
      return new Checkpoint(NativeBridge.sessionCheckpoint(openId(), frame.toBytes()));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private void rewind(FrameWriter frame) {
    try {
      NativeBridge.sessionRewind(openId(), frame.toBytes());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private boolean isRendered(long revision) {
    try {
      return NativeBridge.sessionIsRendered(openId(), revision);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private long openId() {
    registry.requireOpen();
    return handle.id();
  }

  /** Collects what a session needs. Not thread-safe. */
  public static final class Builder {
    private final ToolRegistry registry;
    private final Caller caller;
    private GuardedAuthorizer authorizer;
    private @Nullable String id;
    private @Nullable ToolCallListener listener;
    private List<String> pinned = List.of();
    private @Nullable Boolean codemode;

    Builder(ToolRegistry registry, Caller caller, GuardedAuthorizer authorizer) {
      this.registry = registry;
      this.caller = caller;
      this.authorizer = authorizer;
    }

    /**
     * Sets the session's id, for example the conversation's; a random one unless set.
     *
     * @param id the id
     * @return this
     */
    public Builder id(String id) {
      this.id = id;
      return this;
    }

    /**
     * Sets who decides in this session, in place of the registry's authorizer.
     *
     * @param authorizer the authorizer
     * @return this
     */
    public Builder authorizer(ToolAuthorizer authorizer) {
      this.authorizer = new GuardedAuthorizer(authorizer);
      return this;
    }

    /**
     * Sets who hears of every call of the session, and of the sessions forked from it.
     *
     * @param listener the listener
     * @return this
     */
    public Builder listener(ToolCallListener listener) {
      this.listener = listener;
      return this;
    }

    /**
     * Sets whether the model of this session may run scripts; as {@link
     * ToolRegistry.Builder#codemode} says unless set. Where it may not, tools of exposure {@link
     * Exposure#CODEMODE} are reached by {@code tool_search}.
     *
     * @param offered whether {@code codemode} is offered, if there is such a tool for the caller
     * @return this
     */
    public Builder codemode(boolean offered) {
      this.codemode = offered;
      return this;
    }

    /**
     * Sets tools that are active from the start, in this order, as far as the caller may use them.
     * A restored session has those of its snapshot instead.
     *
     * @param names public names
     * @return this
     */
    public Builder pinned(String... names) {
      this.pinned = List.of(names);
      return this;
    }

    /**
     * Opens the session. It starts with the pinned tools and those of exposure {@link
     * Exposure#DIRECT}, and with {@code tool_search}, {@code codemode} or both if there are tools
     * for the caller that are reached by them.
     *
     * @return the session, to be closed
     * @throws IllegalStateException if the registry is closed
     */
    public ToolSession open() {
      return start(NativeBridge::sessionOpen, frame -> frame.texts(pinned));
    }

    /**
     * Opens the session with what a snapshot holds. A name that is not registered now is kept as
     * pending, one that the caller may not use as withheld.
     *
     * @param snapshot bytes of {@link ToolSession#snapshot}
     * @return the session, to be closed
     * @throws ToolcribException if the bytes cannot be read
     * @throws IllegalStateException if the registry is closed
     */
    public ToolSession restore(byte[] snapshot) {
      return start(NativeBridge::sessionRestore, frame -> frame.bytes(snapshot));
    }

    private ToolSession start(Opening opening, Consumer<FrameWriter> content) {
      ToolSelection authorized = authorizer.authorizedTools(caller);
      FrameWriter frame = new FrameWriter();
      authorized.writeTo(frame);
      frame.optional(codemode, FrameWriter::flag);
      content.accept(frame);
      try {
        long handle = opening.open(registry.requireOpen(), frame.toBytes());
        String sessionId = id == null ? UUID.randomUUID().toString() : id;
        SessionRights rights = new SessionRights(authorizer, caller, authorized);
        return new ToolSession(registry, sessionId, caller, rights, listener, handle);
      } finally {
        Reference.reachabilityFence(registry);
      }
    }

    @FunctionalInterface
    private interface Opening {
      long open(long registry, byte[] frame);
    }
  }
}
