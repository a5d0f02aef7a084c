package dev.toolcrib.mcp;

import dev.toolcrib.Caller;
import dev.toolcrib.ToolSession;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a server keeps of one client between its requests: who opened it, the calls on their way,
 * the stream for what it is told unasked, what its scripts stored, and, in session mode, the tools
 * that it found.
 */
final class ClientSession implements AutoCloseable {

  private final String id;
  private final @Nullable Caller owner;
  private final Map<Object, String> calls = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  // Guarded by the lock.
  private @Nullable Held tools;
  private byte @Nullable [] stored;
  private boolean closed;
  private @Nullable Listener listener;

  /** A session of tools, closed when another has its place and no request uses it any more. */
  private static final class Held {
    final ToolSession session;
    int users;
    boolean replaced;

    Held(ToolSession session) {
      this.session = session;
    }
  }

  private record Listener(Consumer<JSONRPCNotification> notifications, Runnable end) {}

  ClientSession(String id, @Nullable Caller owner) {
    this.id = id;
    this.owner = owner;
  }

  String id() {
    return id;
  }

  /** Whether it is this caller's: the same tenant and user, whatever the roles are now. */
  boolean belongsTo(@Nullable Caller caller) {
    return owner == null
        ? caller == null
        : caller != null
            && Objects.equals(owner.tenant(), caller.tenant())
            && Objects.equals(owner.user(), caller.user());
  }

  @Nullable Caller owner() {
    return owner;
  }

  /**
   * The tools that this client found, for the caller with the roles of this request.
   *
   * @throws IllegalStateException if the session is closed
   */
  UsedSession tools(ToolSession.Builder opening, Caller caller) {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("this session is closed");
      }
      Held held = tools;
      if (held == null || !held.session.caller().equals(caller)) {
        held = replace(held, opening.id(id));
      }
      Held used = held;
      used.users++;
      return new UsedSession(used.session, () -> release(used));
    } finally {
      lock.unlock();
    }
  }

  // The lock is held.
  private Held replace(@Nullable Held former, ToolSession.Builder opening) {
    Held next =
        new Held(former == null ? opening.open() : opening.restore(former.session.snapshot()));
    tools = next;
    if (former != null) {
      former.replaced = true;
      closeUnused(former);
    }
    return next;
  }

  private void release(Held held) {
    lock.lock();
    try {
      held.users--;
      closeUnused(held);
    } finally {
      lock.unlock();
    }
  }

  private static void closeUnused(Held held) {
    if (held.replaced && held.users == 0) {
      held.session.close();
    }
  }

  /** Tools for a script that finds what former ones stored, and no tools that were found. */
  UsedSession script(ToolSession.Builder opening) {
    byte[] before;
    lock.lock();
    try {
      before = stored;
    } finally {
      lock.unlock();
    }
    opening.id(id);
    ToolSession session = before == null ? opening.open() : opening.restore(before);
    return new UsedSession(session, () -> keep(session));
  }

  private void keep(ToolSession script) {
    try (script) {
      byte[] after = script.snapshot();
      lock.lock();
      try {
        stored = after;
      } finally {
        lock.unlock();
      }
    }
  }

  void started(Object requestId, String callId) {
    calls.put(requestId, callId);
  }

  void ended(Object requestId, String callId) {
    calls.remove(requestId, callId);
  }

  @Nullable String callOf(Object requestId) {
    return calls.get(requestId);
  }

  /**
   * Sets where notifications go that belong to no request, in place of where they went before.
   *
   * @param notifications takes them; must not block
   * @param end run when nothing will come any more
   */
  void listen(Consumer<JSONRPCNotification> notifications, Runnable end) {
    Listener next = new Listener(notifications, end);
    Listener former;
    lock.lock();
    try {
      former = closed ? next : listener;
      listener = closed ? null : next;
    } finally {
      lock.unlock();
    }
    if (former != null) {
      former.end().run();
    }
  }

  void tell(JSONRPCNotification notification) {
    Listener to;
    lock.lock();
    try {
      to = listener;
    } finally {
      lock.unlock();
    }
    if (to != null) {
      to.notifications().accept(notification);
    }
  }

  @Override
  public void close() {
    Held open;
    Listener listening;
    lock.lock();
    try {
      closed = true;
      open = tools;
      tools = null;
      listening = listener;
      listener = null;
    } finally {
      lock.unlock();
    }
    if (open != null) {
      open.session.close();
    }
    if (listening != null) {
      listening.end().run();
    }
  }
}
