package dev.toolcrib;

import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One script that runs natively. Its threads call {@link #event}, which hands what is to be done to
 * the registry's executor and returns: none of them waits in Java.
 */
final class ScriptRun {

  private static final Logger LOG = LoggerFactory.getLogger(ScriptResult.class);

  // What an answer begins with.
  private static final int REFRESHED = 0;
  private static final int REPLIED = 1;
  private static final int UNKNOWN = 2;

  private final ToolSession session;
  private final String callId;
  private final Consumer<ScriptResult> first;
  private final CompletableFuture<ScriptResult> result = new CompletableFuture<>();
  private volatile long script;
  private volatile boolean cancelled;
  private final Set<Integer> abandoned = ConcurrentHashMap.newKeySet();
  // The calls of each tool that are not done, in the order in which the script made them.
  private final Map<String, NavigableMap<Integer, CompletableFuture<?>>> open =
      new ConcurrentHashMap<>();

  /** {@code first} is told before anybody who waits for the result. */
  ScriptRun(ToolSession session, String callId, Consumer<ScriptResult> first) {
    this.session = session;
    this.callId = callId;
    this.first = first;
  }

  /** Completes with what comes of it; cancelling it cancels the script. */
  CompletableFuture<ScriptResult> result() {
    return result;
  }

  /** Called once, with the number of the script. */
  void start(long script) {
    this.script = script;
    if (cancelled) {
      NativeBridge.scriptCancel(script);
    }
    var unused =
        result.whenComplete(
            (done, failure) -> {
              if (failure != null) {
                NativeBridge.scriptCancel(script);
              }
            });
  }

  String callId() {
    return callId;
  }

  /** It ends with what it has written; at once if it has not begun. */
  void cancel() {
    cancelled = true;
    NativeBridge.scriptCancel(script);
  }

  /** Called by native threads. Whatever it throws is taken for "cannot be executed". */
  void event(long script, byte[] frame) {
    FrameReader read = new FrameReader(frame);
    int what = read.count();
    switch (what) {
      case 0 -> call(script, read.count(), read.text(), read.text());
      case 1 -> refresh(script, read.number());
      case 2 -> abandoned.add(read.count());
      case 3 -> finished(read);
      case 4 ->
          LOG.error(
              "script {} was given up, but the engine still has its thread: one operation of the"
                  + " engine takes very long",
              callId);
      default -> throw read.broken("unknown event of a script " + what);
    }
  }

  private void call(long script, int number, String tool, String arguments) {
    CallRequest request =
        CallRequest.of(tool, arguments).withCallId(callId + "/" + number).allowingInactive();
    CompletableFuture<?> ended = new CompletableFuture<Void>();
    open(tool).put(number, ended);
    Runnable end =
        () -> {
          open(tool).remove(number);
          ended.complete(null);
        };
    Runnable work =
        () -> {
          CompletableFuture<CallResult> made;
          try {
            made = make(request, number);
          } catch (Throwable e) {
            made = CompletableFuture.failedFuture(e);
          }
          var unused =
              made.whenComplete(
                  (done, failure) -> {
                    reply(script, number, done, failure);
                    end.run();
                  });
        };
    try {
      execute(work);
    } catch (RejectedExecutionException e) {
      end.run();
      throw e;
    }
  }

  private CompletableFuture<CallResult> make(CallRequest request, int number) {
    if (abandoned.contains(number)) {
      return CompletableFuture.completedFuture(
          new CallResult.Unavailable(null, "The script does not wait for it any more."));
    }
    return CallPipeline.nested(
        session, request, callId, (tool, call) -> inTurn(tool, call, number));
  }

  /** Makes a call when every earlier one of the script to the same tool is done. */
  private CompletableFuture<CallResult> inTurn(
      String tool, Supplier<CompletableFuture<CallResult>> call, int number) {
    CompletableFuture<CallResult> done = new CompletableFuture<>();
    Runnable turn =
        () -> {
          if (abandoned.contains(number)) {
            done.cancel(false);
          } else {
            complete(done, call);
          }
        };
    var before = open(tool).lowerEntry(number);
    if (before == null) {
      turn.run();
    } else {
      var unused =
          before
              .getValue()
              .whenComplete(
                  (ended, failure) -> {
                    try {
                      execute(turn);
                    } catch (RejectedExecutionException e) {
                      done.completeExceptionally(e);
                    }
                  });
    }
    return done;
  }

  private NavigableMap<Integer, CompletableFuture<?>> open(String tool) {
    return open.computeIfAbsent(tool, name -> new ConcurrentSkipListMap<>());
  }

  private static void complete(
      CompletableFuture<CallResult> done, Supplier<CompletableFuture<CallResult>> call) {
    try {
      var unused =
          call.get()
              .whenComplete(
                  (made, failure) -> {
                    if (failure != null) {
                      done.completeExceptionally(failure);
                    } else {
                      done.complete(made);
                    }
                  });
    } catch (Throwable e) {
      done.completeExceptionally(e);
    }
  }

  private void refresh(long script, long id) {
    execute(
        () -> {
          int answer = UNKNOWN;
          try {
            session.refresh();
            answer = REFRESHED;
          } catch (RuntimeException e) {
            LOG.warn("the rights of script {} could not be asked", callId, e);
          } finally {
            NativeBridge.scriptReply(script, new FrameWriter().number(id).number(answer).toBytes());
          }
        });
  }

  private void finished(FrameReader read) {
    session.ended(this);
    Runnable complete;
    try {
      ScriptResult finished = ScriptResult.read(read);
      complete =
          () -> {
            try {
              first.accept(finished);
            } finally {
              result.complete(finished);
            }
          };
    } catch (Throwable e) {
      // No memory for it, for example; who waits must not wait forever.
      complete = () -> result.completeExceptionally(e);
    }
    // What the service does with the result is not for a thread of the pool.
    try {
      execute(complete);
    } catch (RejectedExecutionException e) {
      hurry(complete);
    }
  }

  private static void hurry(Runnable complete) {
    try {
      ForkJoinPool.commonPool().execute(complete);
    } catch (Throwable e) {
      // No thread can be started. A thread of the pool is held up, and nobody waits in vain.
      complete.run();
    }
  }

  private void reply(
      long script, int number, @Nullable CallResult done, @Nullable Throwable failure) {
    if (failure != null) {
      LOG.warn("call {}/{} failed", callId, number, failure);
    }
    byte[] frame;
    try {
      frame = frame(number, done);
    } catch (IllegalArgumentException | OutOfMemoryError e) {
      LOG.warn("call {}/{} answered too much", callId, number, e);
      frame = frame(number, null);
    }
    NativeBridge.scriptReply(script, frame);
  }

  private static byte[] frame(int number, @Nullable CallResult done) {
    ToolResult payload = null;
    int kind = 5;
    if (done instanceof CallResult.Completed completed) {
      payload = completed.payload();
      kind = 0;
    } else if (done instanceof CallResult.Failed failed) {
      payload = failed.payload();
      kind = 1;
    } else if (done instanceof CallResult.InvalidArguments) {
      kind = 2;
    } else if (done instanceof CallResult.Refused) {
      kind = 3;
    } else if (done instanceof CallResult.NotFound) {
      kind = 4;
    }
    String text = done == null ? "The call failed." : done.text();
    return new FrameWriter()
        .number(number)
        .number(REPLIED)
        .number(kind)
        .lenientText(payload == null ? text : payload.text())
        .optional(payload == null ? null : payload.structuredContent(), FrameWriter::lenientText)
        .optional(payload == null ? null : payload.content(), FrameWriter::lenientText)
        .toBytes();
  }

  private void execute(Runnable work) {
    session.registry().callExecutor().execute(work);
  }
}
