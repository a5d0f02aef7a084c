package dev.toolcrib;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** The calls of a session that wait for sources, and can be cancelled before they have begun. */
final class WaitingCalls {

  private static final class Waiting {
    final CompletableFuture<?> over;
    volatile boolean cancelled;

    Waiting(CompletableFuture<?> over) {
      this.over = over;
    }

    void cancel() {
      cancelled = true;
      over.complete(null);
    }
  }

  private final Map<String, Waiting> calls = new ConcurrentHashMap<>();

  /**
   * Begins a call when what it waits for is over.
   *
   * @param ready the wait, which is this call's alone
   * @param begin begins it
   * @param instead what comes of a call that is cancelled before
   * @param late told if the call was cancelled while it began
   */
  <T> CompletableFuture<T> begin(
      String callId,
      CompletableFuture<?> ready,
      Executor executor,
      Supplier<CompletableFuture<T>> begin,
      Supplier<T> instead,
      Runnable late) {
    Waiting waiting = new Waiting(ready);
    calls.put(callId, waiting);
    return ready
        .thenComposeAsync(
            over -> {
              if (waiting.cancelled) {
                return CompletableFuture.completedFuture(instead.get());
              }
              CompletableFuture<T> begun = begin.get();
              calls.remove(callId, waiting);
              if (waiting.cancelled) {
                late.run();
              }
              return begun;
            },
            executor)
        .whenComplete((done, failure) -> calls.remove(callId, waiting));
  }

  /**
   * Cancels a call.
   *
   * @return false if none of this id waits
   */
  boolean cancel(String callId) {
    Waiting waiting = calls.get(callId);
    if (waiting != null) {
      waiting.cancel();
    }
    return waiting != null;
  }
}
