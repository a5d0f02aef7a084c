package dev.toolcrib.mcp;

import static java.util.Objects.requireNonNull;

import dev.toolcrib.Caller;
import dev.toolcrib.ExpectedSource;
import dev.toolcrib.Exposure;
import dev.toolcrib.ToolUnavailableException;
import dev.toolcrib.mcp.McpFailure.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One server: connects to it, publishes its tools, keeps them in step, and comes back when it is
 * gone. Nothing here waits; everything goes on when something is done.
 */
final class ManagedServer {

  private static final Logger LOG = LoggerFactory.getLogger(McpSources.class);

  /** A connection that lasted this long ends a row of failures. */
  private static final Duration STEADY = Duration.ofSeconds(30);

  private final McpServerConfig config;
  private final Supplier<Wire> wires;
  private final McpRuntime runtime;
  private final @Nullable CallerConnections callers;
  private final PublishedTools tools;
  private final CompletableFuture<@Nullable Void> settled = new CompletableFuture<>();

  private final ReentrantLock lock = new ReentrantLock();
  // All guarded by the lock.
  private McpServerState state = McpServerState.CONNECTING;
  private Instant since = Instant.now();
  private @Nullable String error;
  private @Nullable Connection connection;
  // Not connected yet; nobody else would end it.
  private @Nullable Connection opening;
  private @Nullable ToolRefresh refresh;
  private boolean changedTooEarly;
  private CompletableFuture<Connection> connected = new CompletableFuture<>();
  private @Nullable ScheduledFuture<?> nextTry;
  private int generation;
  private int failures;

  /**
   * A server that is not connected yet.
   *
   * @param wires to it, for nobody in particular
   * @param callers the connections of single callers; null if all share one
   */
  ManagedServer(
      McpServerConfig config,
      Supplier<Wire> wires,
      @Nullable CallerConnections callers,
      McpRuntime runtime,
      CallControl control) {
    this.config = config;
    this.wires = wires;
    this.callers = callers;
    this.runtime = runtime;
    tools =
        new PublishedTools(
            config, new McpToolExecutor(this, control, runtime.callbacks()), runtime);
  }

  McpServerConfig config() {
    return config;
  }

  /** How long a call of its tools may take. */
  Connection.Patience patience() {
    Duration silence = config.timeout();
    Duration longest = runtime.longestCall();
    return new Connection.Patience(silence, silence.compareTo(longest) > 0 ? silence : longest);
  }

  McpServerStatus status() {
    lock.lock();
    try {
      return new McpServerStatus(
          config.name(), state, since, tools.count(), error == null ? tools.problem() : error);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Completes when the server was tried for the first time, and its tools are published if well.
   */
  CompletableFuture<@Nullable Void> settled() {
    return settled.copy();
  }

  /** What is known of it before it says what tools it has; nobody is told of a disabled one. */
  ExpectedSource expected() {
    Set<Exposure> exposures = EnumSet.noneOf(Exposure.class);
    if (config.enabled()) {
      exposures.add(config.exposure());
      exposures.addAll(config.toolExposure().values());
    }
    return new ExpectedSource(config.name(), exposures, config.domain(), config.tags(), settled());
  }

  void start() {
    if (config.enabled()) {
      connect();
    } else {
      become(McpServerState.DISABLED, null);
      settled.complete(null);
    }
  }

  /** Tries now, unless connected or trying already. */
  void connect() {
    int attempt;
    lock.lock();
    try {
      boolean trying = state == McpServerState.CONNECTING && generation > 0;
      if (trying || state == McpServerState.CONNECTED || isOver()) {
        return;
      }
      cancelNextTry();
      become(McpServerState.CONNECTING, error);
      changedTooEarly = false;
      attempt = ++generation;
    } finally {
      lock.unlock();
    }
    runtime.open(
        () -> attempt(attempt),
        () -> failed(attempt, null, new McpFailure(Kind.NOT_SENT, "closed")));
  }

  private void attempt(int attempt) {
    Connection begun = null;
    try {
      Connection opened =
          new Connection(config.name(), wires.get(), runtime.timer(), new Listener(attempt));
      begun = opened;
      if (!opens(attempt, opened)) {
        abandon(opened);
        return;
      }
      Duration time = runtime.connectTimeout();
      CompletableFuture<ToolList> listed =
          opened
              .open(time, McpSources.version(), null)
              .thenCompose(
                  introduction ->
                      introduction.hasTools()
                          ? ToolPages.fetch(opened, time, runtime.callbacks())
                              .thenApply(pages -> new ToolList(introduction.instructions(), pages))
                          : CompletableFuture.completedFuture(
                              new ToolList(introduction.instructions(), List.of())));
      var unused =
          listed
              .orTimeout(time.toMillis(), TimeUnit.MILLISECONDS)
              .whenCompleteAsync(
                  (list, failure) -> {
                    if (failure == null) {
                      publish(list, () -> connected(attempt, opened, list), () -> abandon(opened));
                    } else {
                      failed(attempt, opened, failure);
                    }
                  },
                  runtime.callbacks());
    } catch (RuntimeException | StackOverflowError e) {
      failed(attempt, begun, e);
    }
  }

  private static void abandon(Connection opened) {
    var unused = opened.close();
  }

  /** Notes what is being opened, so that it can be closed; false if it is not wanted any more. */
  private boolean opens(int attempt, Connection opened) {
    lock.lock();
    try {
      boolean wanted = attempt == generation && state == McpServerState.CONNECTING;
      opening = wanted ? opened : opening;
      return wanted;
    } finally {
      lock.unlock();
    }
  }

  private void connected(int attempt, Connection opened, ToolList list) {
    CompletableFuture<Connection> waiting;
    if (opened.isLost()) {
      failed(
          attempt, opened, new McpFailure(Kind.LOST, "it was gone right after it had connected"));
      return;
    }
    lock.lock();
    try {
      if (attempt != generation || state != McpServerState.CONNECTING) {
        var unused = opened.close();
        return;
      }
      connection = opened;
      opening = null;
      refresh = new ToolRefresh(this, opened, list.instructions(), runtime);
      become(McpServerState.CONNECTED, null);
      if (changedTooEarly) {
        refresh.request();
      }
      waiting = connected;
    } finally {
      lock.unlock();
    }
    LOG.info("MCP server {} is connected, with {} tools", config.name(), status().tools());
    waiting.complete(opened);
    settled.complete(null);
  }

  private void failed(int attempt, @Nullable Connection opened, Throwable failure) {
    Throwable cause = McpFailure.unwrapped(failure);
    String words = opened == null ? "" : opened.lastWords();
    if (opened != null) {
      var unused = opened.close();
    }
    lock.lock();
    try {
      if (attempt != generation || state != McpServerState.CONNECTING) {
        return;
      }
      boolean unauthorized = cause instanceof McpFailure known && known.kind == Kind.UNAUTHORIZED;
      become(
          unauthorized ? McpServerState.UNAUTHORIZED : McpServerState.FAILED,
          explain(cause, words));
      opening = null;
      failures++;
      LOG.warn("MCP server {} cannot be connected: {}", config.name(), error);
      connected.completeExceptionally(unavailable());
      connected = new CompletableFuture<>();
      if (!(cause instanceof McpSetupException)) {
        tryLater();
      }
    } finally {
      lock.unlock();
    }
    settled.complete(null);
  }

  private void lost(int attempt, Throwable why) {
    Connection gone;
    lock.lock();
    try {
      if (attempt != generation || state != McpServerState.CONNECTED) {
        return;
      }
      gone = requireNonNull(connection);
      failures = Duration.between(since, Instant.now()).compareTo(STEADY) > 0 ? 1 : failures + 1;
      become(McpServerState.DISCONNECTED, explain(why, gone.lastWords()));
      connection = null;
      refresh = null;
      connected = new CompletableFuture<>();
      LOG.warn("MCP server {} is gone: {}", config.name(), error);
      tryLater();
    } finally {
      lock.unlock();
    }
    var unused = gone.close();
  }

  private void changed(int attempt) {
    ToolRefresh current;
    lock.lock();
    try {
      current = attempt == generation ? refresh : null;
      changedTooEarly |= attempt == generation && current == null;
    } finally {
      lock.unlock();
    }
    if (current != null) {
      current.request();
    }
  }

  /** Publishes what the server has now, then goes on; {@code otherwise} if this was closed. */
  void publish(ToolList list, Runnable then, Runnable otherwise) {
    tools.publish(list, () -> !over(), then, otherwise);
  }

  private boolean over() {
    lock.lock();
    try {
      return isOver();
    } finally {
      lock.unlock();
    }
  }

  /** The connection for a call; one that is not there is waited for as long as calls may wait. */
  CompletableFuture<Connection> connectionFor(Caller caller) {
    CallerConnections own = callers;
    return own == null ? connection() : connection().thenCompose(shared -> inTime(own.of(caller)));
  }

  private CompletableFuture<Connection> connection() {
    CompletableFuture<Connection> waiting;
    lock.lock();
    try {
      if (connection != null) {
        return CompletableFuture.completedFuture(connection);
      }
      if (isOver() || !mayTryNow()) {
        return CompletableFuture.failedFuture(unavailable());
      }
      waiting = connected;
    } finally {
      lock.unlock();
    }
    connect();
    return inTime(waiting.copy());
  }

  private CompletableFuture<Connection> inTime(CompletableFuture<Connection> waiting) {
    return waiting
        .orTimeout(runtime.callWait().toMillis(), TimeUnit.MILLISECONDS)
        .exceptionallyCompose(
            failure ->
                CompletableFuture.failedFuture(
                    failure instanceof TimeoutException ? unavailable() : failure));
  }

  /** Whether a call may start a try: not where the last one failed a moment ago. */
  private boolean mayTryNow() {
    return switch (state) {
      case CONNECTING -> true;
      case DISCONNECTED, FAILED, UNAUTHORIZED ->
          nextTry != null && since.plus(runtime.backoff().first()).isBefore(Instant.now());
      default -> false;
    };
  }

  private ToolUnavailableException unavailable() {
    String what =
        switch (state) {
          case DISABLED -> "is switched off";
          case CLOSED -> "is closed";
          case UNAUTHORIZED -> "does not accept this service's credentials";
          default -> "is not connected at the moment; try again later";
        };
    return new ToolUnavailableException(
        "The MCP server %s, which has this tool, %s.".formatted(config.name(), what));
  }

  CompletableFuture<@Nullable Void> close() {
    Connection open;
    lock.lock();
    try {
      cancelNextTry();
      open = connection != null ? connection : opening;
      connection = null;
      opening = null;
      refresh = null;
      generation++;
      become(McpServerState.CLOSED, null);
      connected.completeExceptionally(unavailable());
    } finally {
      lock.unlock();
    }
    settled.complete(null);
    return CompletableFuture.allOf(
        open == null ? CompletableFuture.completedFuture(null) : open.close(),
        callers == null ? CompletableFuture.completedFuture(null) : callers.close());
  }

  private boolean isOver() {
    return state == McpServerState.CLOSED || state == McpServerState.DISABLED;
  }

  private void tryLater() {
    try {
      nextTry =
          runtime
              .timer()
              .schedule(
                  this::connect,
                  runtime.backoff().after(failures).toMillis(),
                  TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("no next try of MCP server {}: closed", config.name(), e);
    }
  }

  private void cancelNextTry() {
    if (nextTry != null) {
      nextTry.cancel(false);
      nextTry = null;
    }
  }

  private void become(McpServerState next, @Nullable String why) {
    state = next;
    since = Instant.now();
    error = why;
  }

  private static String explain(Throwable failure, String lastWords) {
    Throwable shown =
        failure instanceof McpFailure known && known.kind == Kind.LOST && known.getCause() != null
            ? known.getCause()
            : failure;
    String message =
        failure instanceof TimeoutException
            ? "it was not ready in time"
            : Connection.cut(shown.getMessage() == null ? shown.toString() : shown.getMessage());
    return lastWords.isBlank() ? message : message + "; it said last:\n" + lastWords;
  }

  private final class Listener implements Connection.Listener {
    private final int attempt;

    Listener(int attempt) {
      this.attempt = attempt;
    }

    @Override
    public void toolsChanged() {
      changed(attempt);
    }

    @Override
    public void lost(Throwable why) {
      ManagedServer.this.lost(attempt, why);
    }
  }
}
