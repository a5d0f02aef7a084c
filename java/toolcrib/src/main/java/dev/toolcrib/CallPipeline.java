package dev.toolcrib;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of a call: prepared natively, decided and executed in Java, finished natively. No native
 * call is open while the tool runs.
 */
final class CallPipeline {

  private static final Logger LOG = LoggerFactory.getLogger(ToolExecutor.class);

  private final ToolSession session;
  private final CallRequest request;
  private final String callId;
  private final @Nullable String parentCallId;

  private CallPipeline(
      ToolSession session, CallRequest request, String callId, @Nullable String parentCallId) {
    this.session = session;
    this.request = request;
    this.callId = callId;
    this.parentCallId = parentCallId;
  }

  /** A call of the model. */
  static CompletableFuture<CallResult> call(ToolSession session, CallRequest request) {
    CallPipeline call = new CallPipeline(session, request, request.callIdOrNew(), null);
    return call.heard(call::whenReady);
  }

  private CompletableFuture<CallResult> whenReady() {
    CompletableFuture<?> ready = session.readyToCall(request);
    return ready.isDone()
        ? handle(prepare(request))
        : session
            .waiting()
            .begin(
                callId,
                ready,
                session.registry().callExecutor()::execute,
                () -> handle(prepare(request)),
                () -> new CallResult.Unavailable(null, request.name() + " was cancelled."),
                () -> session.cancel(callId));
  }

  /** A call that a script makes; where the tool takes one call at a time, it waits for its turn. */
  static CompletableFuture<CallResult> nested(
      ToolSession session, CallRequest request, String parentCallId, Turns turns) {
    CallPipeline call = new CallPipeline(session, request, request.callIdOrNew(), parentCallId);
    return call.heard(
        () -> {
          Prepared prepared = call.prepare(request);
          return prepared instanceof Prepared.Ready ready && call.isSequential(ready)
              // Everything is asked again when the turn has come.
              ? turns.wait(ready.tool().name(), () -> call.handle(call.prepare(request)))
              : call.handle(prepared);
        });
  }

  private Prepared prepare(CallRequest request) {
    FrameWriter frame = new FrameWriter();
    request.writeTo(frame);
    session.refresh();
    return FrameReader.read(
        session.ask(NativeBridge::callPrepare, frame),
        prepared -> Prepared.read(prepared, request.arguments()));
  }

  private CompletableFuture<CallResult> handle(Prepared prepared) {
    if (prepared instanceof Prepared.Script script) {
      return session.runScript(script.code(), callId);
    }
    if (prepared instanceof Prepared.Ready ready) {
      return intercept(ready);
    }
    return done(((Prepared.Settled) prepared).result());
  }

  private CompletableFuture<CallResult> intercept(Prepared.Ready prepared) {
    Interceptors interceptors = session.registry().interceptors();
    Prepared.Ready ready = prepared;
    ToolCall call = toCall(ready);
    for (int index = 0; index < interceptors.size(); index++) {
      ToolCallInterceptor.Step step = interceptors.before(index, call);
      if (step.refusal() != null) {
        return done(new CallResult.Refused(call.tool(), step.refusal()));
      }
      if (step.arguments() != null) {
        Prepared again = prepare(changed(call.tool(), step.arguments()));
        if (!(again instanceof Prepared.Ready changed)) {
          return handle(again);
        }
        ready = changed;
        call = toCall(ready);
      }
    }
    return interceptors.size() == 0 ? decide(call, ready) : decideAnew(call);
  }

  /** Decides on a call that was held up, maybe for long: people are asked by interceptors. */
  private CompletableFuture<CallResult> decideAnew(ToolCall call) {
    Prepared again = prepare(changed(call.tool(), call.arguments()));
    if (!(again instanceof Prepared.Ready ready)) {
      return handle(again);
    }
    if (!ready.tool().equals(call.tool()) || !ready.arguments().equals(call.arguments())) {
      return done(
          new CallResult.Refused(
              ready.tool(),
              ready.tool().name()
                  + " was changed while this call was being checked, and nothing was executed."
                  + " Call it again if it is still what you want."));
    }
    return decide(call, ready);
  }

  private ToolCall toCall(Prepared.Ready ready) {
    return new ToolCall(
        callId, session.id(), session.caller(), ready.tool(), ready.arguments(), parentCallId);
  }

  private static CallRequest changed(ToolInfo tool, String arguments) {
    return CallRequest.of(tool.name(), arguments).allowingInactive();
  }

  private CompletableFuture<CallResult> decide(ToolCall call, Prepared.Ready ready) {
    Decision decision = session.authorizer().authorize(call);
    if (!decision.permitted()) {
      String reason = decision.reason();
      return done(
          new CallResult.Refused(
              call.tool(), reason == null ? "This call is not permitted." : reason));
    }
    ToolExecutor executor = executor(ready);
    if (executor == null) {
      return done(
          new CallResult.Unavailable(
              call.tool(), "Nothing executes " + call.tool().name() + " now."));
    }
    return session
        .registry()
        .callExecutor()
        .start(executor, call)
        .handle((result, failure) -> finish(call, result, failure));
  }

  private boolean isSequential(Prepared.Ready ready) {
    ToolExecutor executor = executor(ready);
    return executor != null && executor.sequential();
  }

  private @Nullable ToolExecutor executor(Prepared.Ready ready) {
    return session.registry().executors().find(ready.tool(), ready.revision());
  }

  private CallResult finish(
      ToolCall call, @Nullable ToolResult result, @Nullable Throwable failure) {
    Interceptors interceptors = session.registry().interceptors();
    if (result == null) {
      CallResult failed = failed(call, failure);
      ToolResult said = ToolResult.error(failed.text());
      ToolResult seen = interceptors.after(call, said);
      return said.equals(seen) ? failed : seen(call, seen);
    }
    return seen(call, interceptors.after(call, result));
  }

  private CallResult seen(ToolCall call, @Nullable ToolResult result) {
    if (result == null) {
      return new CallResult.Failed(
          call.tool(),
          call.tool().name() + " was executed, but its result could not be checked.",
          null);
    }
    return preview(call, result);
  }

  private static CallResult failed(ToolCall call, @Nullable Throwable failure) {
    String name = call.tool().name();
    Throwable cause = failure == null ? null : ToolSession.unwrapped(failure);
    if (cause instanceof TimeoutException) {
      LOG.warn("call {} of {} took too long", call.callId(), name);
      return new CallResult.Unavailable(call.tool(), name + " took too long and was given up.");
    }
    if (cause instanceof ToolUnavailableException unavailable) {
      LOG.debug("call {} of {} could not be executed", call.callId(), name, cause);
      String message = unavailable.getMessage();
      return new CallResult.Unavailable(
          call.tool(), message == null ? name + " is not available." : message);
    }
    if (cause instanceof RejectedExecutionException) {
      LOG.warn("call {} of {} was rejected", call.callId(), name, cause);
      return new CallResult.Unavailable(
          call.tool(), name + " cannot be executed now, try again later.");
    }
    LOG.warn("call {} of {} failed", call.callId(), name, cause);
    return new CallResult.Failed(call.tool(), name + " failed.", null);
  }

  private CallResult preview(ToolCall call, ToolResult result) {
    String name = call.tool().name();
    byte[] text = Text.leniently(result.text());
    long limit = limit(Limit.MAX_RESULT_BYTES);
    if (text.length > limit) {
      LOG.warn("call {} of {} answered {} bytes", call.callId(), name, text.length);
      return new CallResult.Failed(
          call.tool(),
          "%s was executed, but its result of %s bytes is over the limit of %s bytes."
              .formatted(name, text.length, limit),
          null);
    }
    int room = (int) Math.min(Integer.MAX_VALUE, limit(Limit.PREVIEW_BYTES));
    FrameReader preview = new FrameReader(NativeBridge.callPreview(room, text));
    String shown = preview.text();
    return result.isError()
        ? new CallResult.Failed(call.tool(), shown, result)
        : new CallResult.Completed(call.tool(), shown, preview.flag(), result);
  }

  /** Makes the call and tells the session's listener what came of it. */
  private CompletableFuture<CallResult> heard(Supplier<CompletableFuture<CallResult>> make) {
    long start = System.nanoTime();
    return make.get()
        .whenComplete(
            (result, failure) -> {
              if (result != null) {
                Duration took = Duration.ofNanos(System.nanoTime() - start);
                session.tell(new HandledCall(session, callId, parentCallId, request, result, took));
              }
            });
  }

  private long limit(Limit limit) {
    return session.registry().limits().getOrDefault(limit, 0L);
  }

  private static CompletableFuture<CallResult> done(CallResult result) {
    return CompletableFuture.completedFuture(result);
  }

  /** The turns of the calls of one script that are made one after the other. */
  @FunctionalInterface
  interface Turns {
    CompletableFuture<CallResult> wait(String tool, Supplier<CompletableFuture<CallResult>> call);
  }
}
