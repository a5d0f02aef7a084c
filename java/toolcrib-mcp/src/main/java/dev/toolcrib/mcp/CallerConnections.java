package dev.toolcrib.mcp;

import dev.toolcrib.Caller;
import dev.toolcrib.mcp.McpFailure.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections to one server that are single callers' own, since a server may bind a session to
 * the user who opened it. One is opened by its caller's first call, and ends when nobody has used
 * it for a while or its place is wanted.
 */
final class CallerConnections {

  private static final Logger LOG = LoggerFactory.getLogger(McpSources.class);

  /**
   * What bounds them.
   *
   * @param most how many callers of one server have one at the same time
   * @param idle how long one is kept that nobody uses
   */
  record Bounds(int most, Duration idle) {}

  private record Key(@Nullable String tenant, String user) {}

  private static final class Entry {
    final CompletableFuture<Connection> opened = new CompletableFuture<>();
    // Both guarded by the lock.
    @Nullable Connection connection;
    long lastUsed;

    boolean isIdle() {
      return opened.isDone() && connection != null && connection.isIdle();
    }
  }

  private final String server;
  private final Function<Caller, Wire> wires;
  private final McpRuntime runtime;
  private final Bounds bounds;
  private final ReentrantLock lock = new ReentrantLock();
  // Guarded by the lock; in the order of use.
  private final LinkedHashMap<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private boolean sweeping;
  private boolean closed;

  CallerConnections(
      String server, Function<Caller, Wire> wires, McpRuntime runtime, Bounds bounds) {
    this.server = server;
    this.wires = wires;
    this.runtime = runtime;
    this.bounds = bounds;
  }

  /** The connection of a caller, whatever the caller's roles are now. */
  CompletableFuture<Connection> of(Caller caller) {
    Key key = new Key(caller.tenant(), caller.user());
    List<Connection> ended = new ArrayList<>();
    Entry entry;
    boolean opens = false;
    lock.lock();
    try {
      if (closed) {
        return CompletableFuture.failedFuture(new McpFailure(Kind.NOT_SENT, "closed"));
      }
      entry = entries.get(key);
      if (entry == null) {
        if (entries.size() >= bounds.most() && !endOne(ended)) {
          return CompletableFuture.failedFuture(
              new McpFailure(
                  Kind.NOT_SENT, "%s callers use its server already".formatted(bounds.most())));
        }
        entry = new Entry();
        entries.put(key, entry);
        sweepLater();
        opens = true;
      }
      entry.lastUsed = System.nanoTime();
    } finally {
      lock.unlock();
    }
    ended.forEach(CallerConnections::end);
    if (opens) {
      Entry opening = entry;
      runtime.open(
          () -> open(key, opening, caller),
          () -> failed(key, opening, new McpFailure(Kind.NOT_SENT, "closed")));
    }
    return entry.opened.copy();
  }

  /** Closes all; completes when they are. */
  CompletableFuture<@Nullable Void> close() {
    List<Connection> open = new ArrayList<>();
    lock.lock();
    try {
      closed = true;
      entries.values().forEach(entry -> add(open, entry));
      entries.clear();
    } finally {
      lock.unlock();
    }
    return CompletableFuture.allOf(
        open.stream().map(Connection::close).toArray(CompletableFuture[]::new));
  }

  private void open(Key key, Entry entry, Caller caller) {
    try {
      Connection connection =
          new Connection(server, wires.apply(caller), runtime.timer(), new Losses(key, entry));
      if (!takes(entry, connection)) {
        end(connection);
        return;
      }
      Duration time = runtime.connectTimeout();
      var unused =
          connection
              .open(time, McpSources.version(), caller)
              .orTimeout(time.toMillis(), TimeUnit.MILLISECONDS)
              .whenCompleteAsync(
                  (introduction, failure) -> {
                    if (failure == null) {
                      entry.opened.complete(connection);
                    } else {
                      failed(key, entry, failure);
                    }
                  },
                  runtime.callbacks());
    } catch (RuntimeException e) {
      failed(key, entry, e);
    }
  }

  private boolean takes(Entry entry, Connection connection) {
    lock.lock();
    try {
      entry.connection = connection;
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  private void failed(Key key, Entry entry, Throwable failure) {
    Connection connection;
    lock.lock();
    try {
      entries.remove(key, entry);
      connection = entry.connection;
    } finally {
      lock.unlock();
    }
    LOG.debug("no connection to MCP server {} for a caller", server, failure);
    entry.opened.completeExceptionally(notSent(failure));
    if (connection != null) {
      end(connection);
    }
  }

  /** What opens a connection comes before any call: that was not sent, whatever went wrong. */
  private static McpFailure notSent(Throwable failure) {
    Throwable cause = McpFailure.unwrapped(failure);
    return cause instanceof McpFailure known && known.kind == Kind.UNAUTHORIZED
        ? known
        : new McpFailure(
            Kind.NOT_SENT,
            "its server cannot be connected: " + Connection.cut(Connection.words(cause)),
            cause);
  }

  // The lock is held. Ends the one used least recently of those that nothing is waited for on.
  private boolean endOne(List<Connection> ended) {
    for (Iterator<Entry> eldest = entries.values().iterator(); eldest.hasNext(); ) {
      Entry entry = eldest.next();
      if (entry.isIdle()) {
        eldest.remove();
        add(ended, entry);
        return true;
      }
    }
    return false;
  }

  // The lock is held.
  private void sweepLater() {
    if (sweeping) {
      return;
    }
    try {
      var unused =
          runtime.timer().schedule(this::sweep, bounds.idle().toNanos(), TimeUnit.NANOSECONDS);
      sweeping = true;
    } catch (RejectedExecutionException e) {
      LOG.debug("closed", e);
    }
  }

  private void sweep() {
    List<Connection> ended = new ArrayList<>();
    lock.lock();
    try {
      sweeping = false;
      long now = System.nanoTime();
      for (Iterator<Entry> all = entries.values().iterator(); all.hasNext(); ) {
        Entry entry = all.next();
        if (entry.isIdle() && now - entry.lastUsed >= bounds.idle().toNanos()) {
          all.remove();
          add(ended, entry);
        }
      }
      if (!entries.isEmpty()) {
        sweepLater();
      }
    } finally {
      lock.unlock();
    }
    ended.forEach(CallerConnections::end);
  }

  private static void add(List<Connection> connections, Entry entry) {
    if (entry.connection != null) {
      connections.add(entry.connection);
    }
  }

  private static void end(Connection connection) {
    var unused = connection.close();
  }

  /** One that is gone is opened anew by its caller's next call. */
  private final class Losses implements Connection.Listener {
    private final Key key;
    private final Entry entry;

    Losses(Key key, Entry entry) {
      this.key = key;
      this.entry = entry;
    }

    @Override
    public void toolsChanged() {
      // The connection that lists the tools is told as well.
    }

    @Override
    public void lost(Throwable why) {
      failed(key, entry, why);
    }
  }
}
