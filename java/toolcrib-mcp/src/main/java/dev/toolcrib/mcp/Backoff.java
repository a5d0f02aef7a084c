package dev.toolcrib.mcp;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait before the next try: twice as long each time, up to a most, a little at random.
 */
record Backoff(Duration first, Duration most) {

  /** The wait after so many failures in a row, at least one. */
  Duration after(int failures) {
    long millis = first.toMillis();
    for (int i = 1; i < failures && millis < most.toMillis(); i++) {
      millis *= 2;
    }
    millis = Math.min(millis, most.toMillis());
    // Servers that went down together do not come back together.
    return Duration.ofMillis(millis - ThreadLocalRandom.current().nextLong(millis / 5 + 1));
  }
}
