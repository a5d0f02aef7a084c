package dev.toolcrib;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns one number of the native handle table: closes it once, and closes it for an owner that was
 * lost without closing.
 */
final class NativeHandle {

  /** Set to true, every warning of a lost owner shows where it was opened, at some cost. */
  static final String DEBUG_PROPERTY = "toolcrib.debug.handles";

  private static final Cleaner CLEANER = Cleaner.create();
  private static final Logger LOG = LoggerFactory.getLogger(NativeHandle.class);
  private static final AtomicLong LOST = new AtomicLong();

  private final String what;
  private final Release release;
  private final Cleaner.Cleanable cleanable;

  /**
   * Takes ownership.
   *
   * @param owner whoever makes the handle unreachable by being lost
   * @param what the word for it in messages
   */
  NativeHandle(Object owner, String what, long id, LongConsumer close) {
    this.what = what;
    this.release = new Release(what, id, close);
    this.cleanable = CLEANER.register(owner, release);
  }

  /**
   * The number, for one native call. The caller keeps the owner reachable over the call.
   *
   * @throws IllegalStateException if closed
   */
  long id() {
    if (release.closed.get()) {
      throw new IllegalStateException("this " + what + " is closed");
    }
    return release.id;
  }

  boolean isClosed() {
    return release.closed.get();
  }

  /** Closes the handle; nothing happens the second time. */
  void close() {
    release.closed.set(true);
    cleanable.clean();
  }

  /** Refers to nothing of the owner, which could otherwise never be lost. */
  private static final class Release implements Runnable {
    private final String what;
    private final long id;
    private final LongConsumer close;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final @Nullable Throwable opened;

    Release(String what, long id, LongConsumer close) {
      this.what = what;
      this.id = id;
      this.close = close;
      this.opened = Boolean.getBoolean(DEBUG_PROPERTY) ? new Throwable("it was opened here") : null;
    }

    @Override
    public void run() {
      if (!closed.get()) {
        warn();
      }
      close.accept(id);
    }

    private void warn() {
      long lost = LOST.incrementAndGet();
      if (opened != null) {
        LOG.warn("a {} was lost without being closed", what, opened);
      } else if (Long.bitCount(lost) == 1) {
        // The first, the second, the fourth …: who loses one for each request is not to drown.
        LOG.warn(
            "a {} was lost without being closed ({} so far): close it, or its memory waits for a"
                + " GC. -D{}=true shows where each was opened",
            what,
            lost,
            DEBUG_PROPERTY);
      }
    }
  }
}
