package dev.toolcrib;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The expected sources that were not tried yet. Each is waited for once, by everybody together:
 * from the first moment that somebody waits for it until it was tried, but not for longer than the
 * registry allows.
 */
final class AwaitedSources {

  private final Duration longest;
  private final Map<String, Awaited> sources = new ConcurrentHashMap<>();

  AwaitedSources(Duration longest) {
    this.longest = longest;
  }

  void expect(ExpectedSource source) {
    Awaited awaited = new Awaited(source.tried());
    sources.put(source.name(), awaited);
    var unused = awaited.over.thenRun(() -> sources.remove(source.name(), awaited));
  }

  void forget(String source) {
    sources.remove(source);
  }

  /** Whether there is nothing to be waited for, whatever is asked. */
  boolean isEmpty() {
    return sources.isEmpty();
  }

  /** Completes when none of these sources is to be waited for any more. */
  CompletableFuture<@Nullable Void> ready(Collection<String> names) {
    CompletableFuture<?>[] waits =
        names.stream()
            .map(sources::get)
            .filter(Objects::nonNull)
            .map(awaited -> awaited.over(longest))
            .toArray(CompletableFuture[]::new);
    return CompletableFuture.allOf(waits);
  }

  private static final class Awaited {
    private final CompletableFuture<@Nullable Void> over;
    private boolean begun;

    Awaited(CompletionStage<?> tried) {
      // A copy, so that the end of the wait completes nothing of whoever tries.
      over = tried.<@Nullable Void>handle((done, failure) -> null).toCompletableFuture().copy();
    }

    /** The wait, which begins with the first who asks. */
    synchronized CompletableFuture<@Nullable Void> over(Duration longest) {
      if (longest.isZero()) {
        over.complete(null);
      } else if (!begun && !over.isDone()) {
        var unused =
            over.completeOnTimeout(
                null, TimeUnit.MILLISECONDS.convert(longest), TimeUnit.MILLISECONDS);
      }
      begun = true;
      return over;
    }
  }
}
