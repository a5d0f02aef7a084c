package dev.toolcrib.mcp;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What writes to clients, each of which takes the time that it takes. Threads of their own, so that
 * nobody who reads slowly holds up the calls of others.
 */
final class ResponseWriters {

  private static final int THREADS = 64;

  private ResponseWriters() {}

  /** Virtual threads where the JVM has them (21 and later), else a bounded pool of daemons. */
  static ExecutorService create() {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
      return pool();
    }
  }

  private static ExecutorService pool() {
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            30,
            TimeUnit.SECONDS,
            // No longer than there are open requests.
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "toolcrib-mcp-write-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }
}
