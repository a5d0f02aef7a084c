package dev.toolcrib.mcp;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists a server's tools again when it says that they changed: once for all that it says within a
 * moment, and never twice at a time, however often it says so.
 */
final class ToolRefresh {

  private static final Logger LOG = LoggerFactory.getLogger(McpSources.class);
  private static final int TRIES = 5;

  private final ManagedServer server;
  private final Connection connection;
  private final String instructions;
  private final McpRuntime runtime;
  private final ReentrantLock lock = new ReentrantLock();
  // Guarded by the lock.
  private boolean wanted;
  private boolean running;
  private int failures;

  ToolRefresh(
      ManagedServer server, Connection connection, String instructions, McpRuntime runtime) {
    this.server = server;
    this.connection = connection;
    this.instructions = instructions;
    this.runtime = runtime;
  }

  void request() {
    lock.lock();
    try {
      wanted = true;
      if (!running) {
        running = true;
        later(runtime.refreshDelay());
      }
    } finally {
      lock.unlock();
    }
  }

  private void later(Duration delay) {
    try {
      var unused = runtime.timer().schedule(this::list, delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("no refresh of MCP server {}: closed", server.config().name(), e);
    }
  }

  private void list() {
    lock.lock();
    try {
      wanted = false;
    } finally {
      lock.unlock();
    }
    Duration time = runtime.connectTimeout();
    var unused =
        ToolPages.fetch(connection, time, runtime.callbacks())
            .orTimeout(time.toMillis(), TimeUnit.MILLISECONDS)
            .whenCompleteAsync(
                (pages, failure) -> {
                  if (failure == null) {
                    server.publish(new ToolList(instructions, pages), () -> done(null), () -> {});
                  } else {
                    done(failure);
                  }
                },
                runtime.callbacks());
  }

  private void done(@org.jspecify.annotations.Nullable Throwable failure) {
    lock.lock();
    try {
      failures = failure == null ? 0 : failures + 1;
      if (failure != null) {
        // What was published stays; it is right for all that is known.
        LOG.warn(
            "MCP server {} says that its tools changed and cannot list them: {}",
            server.config().name(),
            failure.toString());
      }
      boolean again = failure != null && failures < TRIES;
      running = wanted || again;
      if (running) {
        later(again ? runtime.backoff().after(failures) : runtime.refreshDelay());
      }
    } finally {
      lock.unlock();
    }
  }
}
