package dev.toolcrib.spring.boot;

import dev.toolcrib.ToolSession;
import java.util.concurrent.atomic.AtomicInteger;

/** A session that is closed when its last holder releases it. Whoever makes it is the first. */
final class SharedSession {

  private final ToolSession session;
  private final AtomicInteger holders = new AtomicInteger(1);

  SharedSession(ToolSession session) {
    this.session = session;
  }

  ToolSession session() {
    return session;
  }

  /** Adds a holder; only for who holds it already. */
  SharedSession retain() {
    holders.incrementAndGet();
    return this;
  }

  void release() {
    if (holders.decrementAndGet() == 0) {
      session.close();
    }
  }
}
