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
 * the stream for what it is told unasked, and, in session mode, the tools that it found.
 */
final class ClientSession implements AutoCloseable {

  private final String id;
  private final @Nullable Caller owner;
  private final Map<Object, String> calls = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  // Guarded by the lock.
  private @Nullable ToolSession tools;
  private boolean closed;
  private @Nullable Listener listener;

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
  ToolSession tools(ToolSession.Builder opening, Caller caller) {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("this session is closed");
      }
      ToolSession former = tools;
      if (former != null && former.caller().equals(caller)) {
        return former;
      }
      opening.id(id);
      ToolSession next = former == null ? opening.open() : opening.restore(former.snapshot());
      if (former != null) {
        former.close();
      }
      tools = next;
      return next;
    } finally {
      lock.unlock();
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
    ToolSession open;
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
      open.close();
    }
    if (listening != null) {
      listening.end().run();
    }
  }
}
