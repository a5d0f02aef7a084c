package dev.toolcrib.spring.boot;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A clock that stands still until it is moved. */
final class ManualClock implements LongSupplier {

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);

  void advance(Duration duration) {
    nanos.addAndGet(duration.toNanos());
  }

  @Override
  public long getAsLong() {
    return nanos.get();
  }
}
