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
    FrameWriter frame =
        new FrameWriter()
            .text(request.name())
            .text(request.arguments())
            .optionalText(request.position());
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
    if (cause instanceof RejectedExecutionException) {
      LOG.warn("call {} of {} was rejected", call.callId(), name, cause);
      return new CallResult.Unavailable(name + " cannot be executed now, try again later.");
    }
    LOG.warn("call {} of {} failed", call.callId(), name, cause);
    return new CallResult.Failed(name + " failed.", null);
  }

  private CallResult preview(ToolCall call, ToolResult result) {
    try {
      FrameWriter frame = new FrameWriter().text(result.text());
      return FrameReader.read(
          session.ask(NativeBridge::callFinish, frame),
          f -> {
            String text = f.text();
            boolean truncated = f.flag();
            return result.isError()
                ? new CallResult.Failed(text, result)
                : new CallResult.Completed(text, truncated, result);
          });
    } catch (ToolcribException | IllegalArgumentException e) {
      LOG.warn("the result of call {} of {} is dropped", call.callId(), call.tool().name(), e);
      return new CallResult.Failed(
          call.tool().name() + " was executed, but its result cannot be shown.", null);
    }
  }

  private static CompletableFuture<CallResult> done(CallResult result) {
    return CompletableFuture.completedFuture(result);
  }
}
