package dev.toolcrib.mcp;

import dev.toolcrib.PublishResult;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads and times that all servers share. */
final class McpRuntime implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(McpSources.class);

  /** Servers that are started at once; whatever takes longer than a start waits on no thread. */
  private static final int OPENING = 8;

  /** Threads for what is done with answers. */
  private static final int CALLBACKS = 32;

  /** Threads that ask authorization servers, one for each MCP server that wants a token. */
  private static final int AUTHORIZERS = 16;

  private record Publication(
      ToolSource source, BooleanSupplier wanted, Consumer<@Nullable PublishResult> then) {}

  private final ToolRegistry registry;
  private final Times times;
  private final ScheduledThreadPoolExecutor timer;
  private final ExecutorService openers;
  private final ExecutorService publisher;
  private final ThreadPoolExecutor callbacks;
  private final ThreadPoolExecutor authorizers;
  private final BlockingQueue<Publication> publications = new LinkedBlockingQueue<>();
  private final AtomicBoolean publishing = new AtomicBoolean();

  /** How long things may take. */
  record Times(
      Duration connect,
      Duration callWait,
      Duration longestCall,
      Duration refreshDelay,
      Backoff backoff) {}

  McpRuntime(ToolRegistry registry, Times times) {
    this.registry = registry;
    this.times = times;
    timer = new ScheduledThreadPoolExecutor(1, daemons("timer"));
    timer.setRemoveOnCancelPolicy(true);
    openers = Executors.newFixedThreadPool(OPENING, daemons("open"));
    callbacks = pool(CALLBACKS, "call");
    authorizers = pool(AUTHORIZERS, "oauth");
    publisher = Executors.newSingleThreadExecutor(daemons("publish"));
  }

  private static ThreadPoolExecutor pool(int threads, String purpose) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads, threads, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), daemons(purpose));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private static ThreadFactory daemons(String purpose) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, "toolcrib-mcp-" + purpose + "-" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Runs what is done with answers, which may take time. */
  Executor callbacks() {
    return callbacks;
  }

  /** Runs requests to authorization servers, which block. */
  Executor authorizers() {
    return authorizers;
  }

  /** Runs what must not block. */
  ScheduledExecutorService timer() {
    return timer;
  }

  Duration connectTimeout() {
    return times.connect();
  }

  Duration callWait() {
    return times.callWait();
  }

  Duration longestCall() {
    return times.longestCall();
  }

  Duration refreshDelay() {
    return times.refreshDelay();
  }

  Backoff backoff() {
    return times.backoff();
  }

  /** Runs what may block for as long as it takes to start a program. */
  void open(Runnable work, Runnable otherwise) {
    try {
      openers.execute(work);
    } catch (RejectedExecutionException e) {
      otherwise.run();
    }
  }

  /**
   * Puts a source, with all that others want put meanwhile, into one new version.
   *
   * @param wanted asked right before; what runs {@link #afterPublishing} comes after what was
   *     wanted, so that a source that was removed stays away
   * @param then told what came of it; null if it was not wanted any more
   */
  void publish(ToolSource source, BooleanSupplier wanted, Consumer<@Nullable PublishResult> then) {
    publications.add(new Publication(source, wanted, then));
    if (publishing.compareAndSet(false, true)) {
      try {
        publisher.execute(this::publishAll);
      } catch (RejectedExecutionException e) {
        LOG.debug("tools of MCP server {} are not published any more", source.name(), e);
        then.accept(null);
      }
    }
  }

  /** Runs {@code work} when everything is published that wanted to be until now. */
  void afterPublishing(Runnable work) {
    try {
      publisher.execute(work);
    } catch (RejectedExecutionException e) {
      LOG.debug("closed", e);
    }
  }

  private void publishAll() {
    publishing.set(false);
    List<Publication> all = new ArrayList<>();
    publications.drainTo(all);
    List<Publication> batch = new ArrayList<>();
    for (Publication publication : all) {
      if (isWanted(publication)) {
        batch.add(publication);
      } else {
        tell(publication, null);
      }
    }
    if (batch.isEmpty()) {
      return;
    }
    List<PublishResult> results;
    try {
      results = registry.putAll(batch.stream().map(Publication::source).toList());
    } catch (RuntimeException | Error e) {
      // Nobody else would tell those who wait, and they would wait for ever.
      LOG.error("the tools of {} MCP servers cannot be published", batch.size(), e);
      RuntimeException failure =
          e instanceof RuntimeException known ? known : new IllegalStateException(e);
      results =
          batch.stream().map(p -> new PublishResult(p.source().name(), null, failure)).toList();
    }
    for (int i = 0; i < batch.size(); i++) {
      tell(batch.get(i), results.get(i));
    }
  }

  private static boolean isWanted(Publication publication) {
    try {
      return publication.wanted().getAsBoolean();
    } catch (RuntimeException | Error e) {
      LOG.error("before publishing MCP server {}", publication.source().name(), e);
      return false;
    }
  }

  private static void tell(Publication publication, @Nullable PublishResult result) {
    try {
      publication.then().accept(result);
    } catch (RuntimeException | Error e) {
      // The others are to be told all the same.
      LOG.warn("after publishing MCP server {}", publication.source().name(), e);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
    openers.shutdownNow();
    publisher.shutdown();
    callbacks.shutdown();
    authorizers.shutdown();
  }
}
