package dev.toolcrib;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** What runs tools where the service names nothing. */
final class DefaultExecutor {

  private static final int THREADS = 64;
  private static final int QUEUE = 10_000;

  private DefaultExecutor() {}

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
            new LinkedBlockingQueue<>(QUEUE),
            task -> {
              Thread thread = new Thread(task, "toolcrib-call-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }
}
