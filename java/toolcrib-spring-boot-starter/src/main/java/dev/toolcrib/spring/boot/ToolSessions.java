package dev.toolcrib.spring.boot;

import dev.toolcrib.Caller;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.spring.boot.KeptEntries.ConversationKey;
import dev.toolcrib.spring.boot.KeptEntries.Owner;
import dev.toolcrib.spring.boot.ToolSessionListener.Eviction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a session for each conversation, so that what a model activated in one request is active in
 * the next.
 *
 * <pre>{@code
 * try (ToolConversation conversation = sessions.open(caller, conversationId)) {
 *   SearchOutcome found = conversation.search("open invoices of a customer");
 *   String tools = conversation.render(Target.ANTHROPIC_MESSAGES).json();
 * }
 * }</pre>
 *
 * <p>A conversation belongs to tenant and user: whoever else names the same id has another
 * conversation. When roles or attributes of the caller change, the session goes on with the new
 * ones.
 *
 * <p>A session that nobody uses is closed once it was idle for too long, or, being the one used
 * least recently, when there are too many: of its user first, so that one user who opens many
 * conversations ends none of the others', then of all. One that is in use, be it by a call that is
 * still being executed, is never closed, so for a moment there may be more than the caps. Idle
 * sessions are looked for whenever another is used; there is no thread for it. A conversation that
 * comes back later starts anew.
 *
 * <p>Safe for use by many threads.
 */
public final class ToolSessions implements AutoCloseable {

  /** Longest conversation id, in characters. */
  public static final int MAX_CONVERSATION_ID = 256;

  private final ToolRegistry registry;
  private final int max;
  private final int maxPerUser;
  private final long idleNanos;
  private final SessionEvents events;
  private final LongSupplier nanoTime;

  private final ReentrantLock lock = new ReentrantLock();
  // Guarded by the lock. Nothing that could block happens under it: a session is opened under the
  // lock of its own entry, and closed under none.
  private final KeptEntries<Entry> entries = new KeptEntries<>();
  private boolean closed;

  /**
   * Keeps sessions of a registry.
   *
   * @param registry the registry; not closed with this
   * @param max most sessions kept, at least 1
   * @param maxPerUser most sessions kept of one user of one tenant, at least 1
   * @param idleExpiry how long a session is kept without being used, positive
   * @param listeners who is told what happens, in this order
   */
  public ToolSessions(
      ToolRegistry registry,
      int max,
      int maxPerUser,
      Duration idleExpiry,
      Collection<? extends ToolSessionListener> listeners) {
    this(registry, max, maxPerUser, idleExpiry, listeners, System::nanoTime);
  }

  ToolSessions(
      ToolRegistry registry,
      int max,
      int maxPerUser,
      Duration idleExpiry,
      Collection<? extends ToolSessionListener> listeners,
      LongSupplier nanoTime) {
    if (max < 1 || maxPerUser < 1 || idleExpiry.isNegative() || idleExpiry.isZero()) {
      throw new IllegalArgumentException(
          "at least one session is kept, of each user too, for a positive time: not %s and %s for %s"
              .formatted(max, maxPerUser, idleExpiry));
    }
    this.registry = registry;
    this.max = max;
    this.maxPerUser = maxPerUser;
    this.idleNanos = idleExpiry.toNanos();
    this.events = new SessionEvents(listeners, nanoTime);
    this.nanoTime = nanoTime;
  }

  /**
   * Enters a conversation, which begins with this if the caller has none of this id.
   *
   * @param caller who asks
   * @param conversationId the service's id of the conversation, at most {@value
   *     #MAX_CONVERSATION_ID} characters, not blank
   * @return the conversation, to be closed when this use of it is over; it is kept all the same
   * @throws IllegalArgumentException if the id is blank or too long
   * @throws IllegalStateException if this or the registry is closed
   */
  public ToolConversation open(Caller caller, String conversationId) {
    if (conversationId.isBlank() || conversationId.length() > MAX_CONVERSATION_ID) {
      throw new IllegalArgumentException(
          "a conversation id has 1 to %s characters and is not blank"
              .formatted(MAX_CONVERSATION_ID));
    }
    Entry entry = use(key(caller, conversationId));
    try {
      SharedSession session = entry.sessionFor(caller, conversationId);
      return new ToolConversation(new Lease(this, entry, session), events);
    } catch (RuntimeException | Error e) {
      release(entry);
      throw e;
    }
  }

  /**
   * Enters a conversation that is not kept: closing it closes its session.
   *
   * @param caller who asks
   * @return the conversation, to be closed
   * @throws IllegalStateException if the registry is closed
   */
  public ToolConversation openEphemeral(Caller caller) {
    SharedSession session =
        new SharedSession(registry.session(caller).listener(events::called).open());
    return new ToolConversation(new Lease(this, null, session), events);
  }

  /**
   * Ends a conversation, whose session is closed as soon as it is not in use any more.
   *
   * @param caller whose conversation
   * @param conversationId its id
   * @return false if the caller has none of this id
   */
  public boolean end(Caller caller, String conversationId) {
    Entry removed;
    lock.lock();
    try {
      removed = entries.remove(key(caller, conversationId));
    } finally {
      lock.unlock();
    }
    if (removed == null) {
      return false;
    }
    removed.retire();
    return true;
  }

  /**
   * How many sessions are kept now.
   *
   * @return the number
   */
  public int size() {
    List<Entry> idle = new ArrayList<>();
    lock.lock();
    try {
      removeIdle(idle);
      return entries.all().size();
    } finally {
      lock.unlock();
      evict(idle, Eviction.IDLE);
    }
  }

  /** Closes all sessions, those in use as soon as they are not; no more can be opened. */
  @Override
  public void close() {
    List<Entry> all;
    lock.lock();
    try {
      closed = true;
      all = List.copyOf(entries.all());
      entries.clear();
    } finally {
      lock.unlock();
    }
    all.forEach(Entry::retire);
  }

  private Entry use(ConversationKey key) {
    List<Entry> idle = new ArrayList<>();
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("the tool sessions are closed");
      }
      removeIdle(idle);
      Entry entry = entries.use(key, Entry::new);
      entry.users++;
      return entry;
    } finally {
      lock.unlock();
      evict(idle, Eviction.IDLE);
    }
  }

  /** Uses an entry once more that is in use already. */
  void useAgain(Entry entry) {
    lock.lock();
    try {
      entry.users++;
    } finally {
      lock.unlock();
    }
  }

  void release(Entry entry) {
    List<Entry> surplus = new ArrayList<>();
    lock.lock();
    try {
      entry.users--;
      entry.lastUsed = nanoTime.getAsLong();
      // The order is that of lastUsed.
      if (entries.touch(entry.key, entry) && entry.isUnopened()) {
        entries.remove(entry.key);
      }
      removeSurplus(entries.of(entry.key.owner()), maxPerUser, surplus);
      removeSurplus(entries.all(), max, surplus);
    } finally {
      lock.unlock();
      evict(surplus, Eviction.CAPACITY);
    }
  }

  private void removeIdle(List<Entry> removed) {
    long now = nanoTime.getAsLong();
    for (Entry entry : entries.all()) {
      if (entry.users == 0) {
        if (now - entry.lastUsed < idleNanos) {
          break;
        }
        removed.add(entry);
      }
    }
    removed.forEach(entry -> entries.remove(entry.key));
  }

  private void removeSurplus(Collection<Entry> kept, int cap, List<Entry> removed) {
    int surplus = kept.size() - cap;
    if (surplus <= 0) {
      return;
    }
    List<Entry> eldest = kept.stream().filter(entry -> entry.users == 0).limit(surplus).toList();
    eldest.forEach(entry -> entries.remove(entry.key));
    removed.addAll(eldest);
  }

  private void evict(List<Entry> removed, Eviction reason) {
    for (Entry entry : removed) {
      SharedSession session = entry.retire();
      if (session != null) {
        events.evicted(session.session(), reason);
      }
    }
  }

  private static ConversationKey key(Caller caller, String conversationId) {
    return new ConversationKey(new Owner(caller.tenant(), caller.user()), conversationId);
  }

  /** A kept conversation. */
  final class Entry {
    private final ConversationKey key;
    private final ReentrantLock opening = new ReentrantLock();
    private @Nullable SharedSession current;
    private boolean retired;
    // Guarded by the lock of all sessions.
    private int users;
    private long lastUsed;

    private Entry(ConversationKey key) {
      this.key = key;
    }

    /** Whether opening failed; asked under the lock of all sessions. */
    private boolean isUnopened() {
      return users == 0 && current == null;
    }

    /** The session for this caller, with one more holder. */
    SharedSession sessionFor(Caller caller, String conversationId) {
      opening.lock();
      try {
        SharedSession former = current;
        if (former != null && former.session().caller().equals(caller)) {
          return former.retain();
        }
        var opened = registry.session(caller).id(conversationId).listener(events::called);
        // A session asks for the rights of the caller it was opened for; with other roles it would
        // go on with the former ones.
        SharedSession session =
            new SharedSession(
                former == null ? opened.open() : opened.restore(former.session().snapshot()));
        if (former != null) {
          former.release();
        }
        session.retain();
        if (retired) {
          session.release();
        } else {
          current = session;
        }
        return session;
      } finally {
        opening.unlock();
      }
    }

    /** Gives the session up; it closes when its last holder releases it. */
    @Nullable SharedSession retire() {
      opening.lock();
      try {
        SharedSession session = current;
        current = null;
        retired = true;
        if (session != null) {
          session.release();
        }
        return session;
      } finally {
        opening.unlock();
      }
    }
  }
}
