package dev.toolcrib;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
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

  CallPipeline(ToolSession session) {
    this.session = session;
  }

  CompletableFuture<CallResult> call(CallRequest request) {
    FrameWriter frame = new FrameWriter();
    request.writeTo(frame);
    session.refresh();
    Prepared prepared =
        FrameReader.read(session.ask(NativeBridge::callPrepare, frame), Prepared::read);
    if (prepared instanceof Prepared.Ready ready) {
      return decide(
          new ToolCall(
              request.callIdOrNew(),
              session.id(),
              session.caller(),
              ready.tool(),
              ready.arguments()));
    }
    return done(((Prepared.Settled) prepared).result());
  }

  private CompletableFuture<CallResult> decide(ToolCall call) {
    Decision decision = session.authorizer().authorize(call);
    if (!decision.permitted()) {
      String reason = decision.reason();
      return done(new CallResult.Refused(reason == null ? "This call is not permitted." : reason));
    }
    ToolExecutor executor = session.registry().executors().find(call.tool());
    if (executor == null) {
      return done(new CallResult.Unavailable("Nothing executes " + call.tool().name() + " now."));
    }
    return session
        .registry()
        .callExecutor()
        .start(executor, call)
        .handle((result, failure) -> finish(call, result, failure));
  }

  private CallResult finish(
      ToolCall call, @Nullable ToolResult result, @Nullable Throwable failure) {
    String name = call.tool().name();
    if (result != null) {
      return preview(call, result);
    }
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof TimeoutException) {
      LOG.warn("call {} of {} took too long", call.callId(), name);
      return new CallResult.Unavailable(name + " took too long and was given up.");
    }
    if (cause instanceof ToolUnavailableException unavailable) {
      LOG.debug("call {} of {} could not be executed", call.callId(), name, cause);
      String message = unavailable.getMessage();
      return new CallResult.Unavailable(message == null ? name + " is not available." : message);
    }
    if (cause instanceof RejectedExecutionException) {
      LOG.warn("call {} of {} was rejected", call.callId(), name, cause);
      return new CallResult.Unavailable(name + " cannot be executed now, try again later.");
    }
    LOG.warn("call {} of {} failed", call.callId(), name, cause);
    return new CallResult.Failed(name + " failed.", null);
  }

  private CallResult preview(ToolCall call, ToolResult result) {
    String name = call.tool().name();
    try {
      byte[] text = Text.utf8(result.text());
      long limit = limit(Limit.MAX_RESULT_BYTES);
      if (text.length > limit) {
        LOG.warn("call {} of {} answered {} bytes", call.callId(), name, text.length);
        return new CallResult.Failed(
            "%s was executed, but its result of %d bytes is over the limit of %d bytes."
                .formatted(name, text.length, limit),
            null);
      }
      int room = (int) Math.min(Integer.MAX_VALUE, limit(Limit.PREVIEW_BYTES));
      FrameReader preview = new FrameReader(NativeBridge.callPreview(room, text));
      String shown = preview.text();
      return result.isError()
          ? new CallResult.Failed(shown, result)
          : new CallResult.Completed(shown, preview.flag(), result);
    } catch (IllegalArgumentException e) {
      LOG.warn("call {} of {} answered no valid text", call.callId(), name, e);
      return new CallResult.Failed(name + " was executed, but its result is not valid text.", null);
    }
  }

  private long limit(Limit limit) {
    return session.registry().limits().getOrDefault(limit, 0L);
  }

  private static CompletableFuture<CallResult> done(CallResult result) {
    return CompletableFuture.completedFuture(result);
  }
}
