package dev.toolcrib.spring.boot;

import dev.toolcrib.ToolSession;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One use of a session; neither its conversation is evicted nor the session closed meanwhile. */
final class Lease implements AutoCloseable {

  private final ToolSessions sessions;
  private final ToolSessions.@Nullable Entry entry;
  private final SharedSession session;
  private final AtomicBoolean open = new AtomicBoolean(true);

  /** Takes over one use of the entry, if any, and one hold of the session. */
  Lease(ToolSessions sessions, ToolSessions.@Nullable Entry entry, SharedSession session) {
    this.sessions = sessions;
    this.entry = entry;
    this.session = session;
  }

  ToolSession session() {
    if (!open.get()) {
      throw new IllegalStateException("this conversation was closed; open it again");
    }
    return session.session();
  }

  /** A second use of the same session; only while this one is open. */
  Lease again() {
    session.retain();
    if (entry != null) {
      sessions.useAgain(entry);
    }
    return new Lease(sessions, entry, session);
  }

  @Override
  public void close() {
    if (open.compareAndSet(true, false)) {
      session.release();
      if (entry != null) {
        sessions.release(entry);
      }
    }
  }
}
