package dev.toolcrib;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs tools on the service's executor, or on one of its own, within a time. */
final class CallExecutor {

  private final Executor executor;
  private final @Nullable ExecutorService owned;
  private final Duration timeout;

  CallExecutor(@Nullable Executor executor, Duration timeout) {
    if (executor != null) {
      this.executor = executor;
      owned = null;
    } else {
      owned = DefaultExecutor.create();
      this.executor = owned;
    }
    this.timeout = timeout;
  }

  /**
   * Starts a call. The future fails with what the tool threw, with {@link
   * RejectedExecutionException} where the executor has no room, or with {@link
   * java.util.concurrent.TimeoutException}.
   */
  CompletableFuture<ToolResult> start(ToolExecutor tool, ToolCall call) {
    CompletableFuture<ToolResult> result = new CompletableFuture<>();
    try {
      execute(() -> run(tool, call, result));
    } catch (RejectedExecutionException e) {
      // A tool that was run at once has left its result, whatever comes out of the executor
      // besides.
      result.completeExceptionally(e);
    }
    if (result.isDone()) {
      // The one timer of the JVM is not woken for a tool that needed no time.
      return result;
    }
    CompletableFuture<@Nullable Void> clock = clock(result);
    return result.whenComplete((value, failure) -> clock.complete(null));
  }

  /** Fails {@code result} in time, unless the clock is completed before. */
  private CompletableFuture<@Nullable Void> clock(CompletableFuture<ToolResult> result) {
    CompletableFuture<@Nullable Void> clock = new CompletableFuture<>();
    // Asynchronously: what waits for the result must not run on the one timer thread of the JVM.
    var unused =
        clock
            .orTimeout(TimeUnit.MILLISECONDS.convert(timeout), TimeUnit.MILLISECONDS)
            .exceptionallyAsync(
                late -> {
                  result.completeExceptionally(late);
                  return null;
                });
    return clock;
  }

  /**
   * Runs work on the executor.
   *
   * @throws RejectedExecutionException if the executor threw, whatever it was
   */
  void execute(Runnable work) {
    try {
      executor.execute(work);
    } catch (RejectedExecutionException e) {
      throw e;
    } catch (Throwable e) {
      throw new RejectedExecutionException("the executor threw", e);
    }
  }

  /** Takes no more calls; those that were started finish. */
  void close() {
    if (owned != null) {
      owned.shutdown();
    }
  }

  private static void run(ToolExecutor tool, ToolCall call, CompletableFuture<ToolResult> result) {
    try {
      tool.execute(call)
          .whenComplete(
              (value, failure) -> {
                if (failure != null) {
                  result.completeExceptionally(failure);
                } else {
                  result.complete(value);
                }
              });
    } catch (Throwable e) {
      // Whatever the tool throws must reach who waits for it; an Error ends this thread besides.
      result.completeExceptionally(e);
      if (e instanceof VirtualMachineError fatal) {
        throw fatal;
      }
    }
  }
}
