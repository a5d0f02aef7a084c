package dev.toolcrib.mcp;

import dev.toolcrib.Caller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of a server's clients. Each belongs to who opened it; whoever else names it is told
 * that there is none. Those that nobody uses end after a time. When there are too many, the one
 * used least recently ends of the caller who opens another, or of all if the caller has no other.
 */
final class ClientSessions implements AutoCloseable {

  private final int max;
  private final int maxOfOne;
  private final long idleNanos;
  private final ReentrantLock lock = new ReentrantLock();
  // In the order of use, guarded by the lock.
  private final LinkedHashMap<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

  private static final class Entry {
    final ClientSession session;
    long lastUsed = System.nanoTime();

    Entry(ClientSession session) {
      this.session = session;
    }
  }

  ClientSessions(int max, int maxOfOne, Duration idle) {
    this.max = max;
    this.maxOfOne = maxOfOne;
    this.idleNanos = idle.toNanos();
  }

  ClientSession open(@Nullable Caller owner) {
    ClientSession session = new ClientSession(UUID.randomUUID().toString(), owner);
    List<ClientSession> ended = new ArrayList<>();
    lock.lock();
    try {
      entries.put(session.id(), new Entry(session));
      end(ended, owner);
    } finally {
      lock.unlock();
    }
    ended.forEach(ClientSession::close);
    return session;
  }

  /** The session of this id, if it is this caller's. */
  @Nullable ClientSession find(String id, @Nullable Caller caller) {
    lock.lock();
    try {
      Entry entry = entries.get(id);
      if (entry == null || !entry.session.belongsTo(caller)) {
        return null;
      }
      entry.lastUsed = System.nanoTime();
      return entry.session;
    } finally {
      lock.unlock();
    }
  }

  void end(ClientSession session) {
    lock.lock();
    try {
      entries.remove(session.id());
    } finally {
      lock.unlock();
    }
    session.close();
  }

  int size() {
    lock.lock();
    try {
      return entries.size();
    } finally {
      lock.unlock();
    }
  }

  // The lock is held.
  private void end(List<ClientSession> ended, @Nullable Caller owner) {
    long now = System.nanoTime();
    List<ClientSession> own = new ArrayList<>();
    for (Iterator<Entry> eldest = entries.values().iterator(); eldest.hasNext(); ) {
      Entry entry = eldest.next();
      if (now - entry.lastUsed > idleNanos) {
        eldest.remove();
        ended.add(entry.session);
      } else if (entry.session.belongsTo(owner)) {
        own.add(entry.session);
      }
    }
    // Who wants room makes it, if there are sessions of the same caller beside the new one.
    int surplus = Math.max(own.size() - maxOfOne, entries.size() - max);
    for (ClientSession session : own.subList(0, Math.max(0, Math.min(surplus, own.size() - 1)))) {
      entries.remove(session.id());
      ended.add(session);
    }
    for (Iterator<Entry> eldest = entries.values().iterator(); entries.size() > max; ) {
      ended.add(eldest.next().session);
      eldest.remove();
    }
  }

  @Override
  public void close() {
    List<Entry> all;
    lock.lock();
    try {
      all = List.copyOf(entries.values());
      entries.clear();
    } finally {
      lock.unlock();
    }
    all.forEach(entry -> entry.session.close());
  }
}
