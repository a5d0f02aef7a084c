package dev.toolcrib.benchmarks.change;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/** Threads that search as fast as they can while this thread changes something now and then. */
final class Load {

  private static final int CHANGE_EVERY_MILLIS = 100;
  private static final int DIGITS = 3;

  private final Searched searched;
  private final List<String> questions;
  private final ChangeWorkload.Change change;
  private final List<Consumer<String>> searchers = new ArrayList<>();
  private int round;

  Load(Searched searched, List<String> questions, int threads, ChangeWorkload.Change change) {
    this.searched = searched;
    this.questions = questions;
    this.change = change;
    for (int i = 0; i < threads; i++) {
      searchers.add(searched.searcher());
    }
  }

  /** Searches for so long; latencies in microseconds. */
  Map<String, Object> run(int millis) throws InterruptedException {
    AtomicBoolean stop = new AtomicBoolean();
    List<Searcher> threads = new ArrayList<>();
    for (Consumer<String> searcher : searchers) {
      threads.add(new Searcher(searcher, stop));
    }
    threads.forEach(Thread::start);
    Histogram changes = new Histogram(DIGITS);
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    do {
      Thread.sleep(Math.min(millis, CHANGE_EVERY_MILLIS));
      long start = System.nanoTime();
      change.make(searched, round++);
      changes.recordValue(System.nanoTime() - start);
    } while (System.nanoTime() < end);
    stop.set(true);
    Histogram all = new Histogram(DIGITS);
    for (Searcher thread : threads) {
      thread.join();
      all.add(thread.latencies);
      if (thread.failure != null) {
        throw new IllegalStateException(thread.failure);
      }
    }
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("searches", all.getTotalCount());
    figures.put("searchesPerSecond", all.getTotalCount() * 1_000 / millis);
    figures.put("p50Micros", micros(all, 50));
    figures.put("p99Micros", micros(all, 99));
    figures.put("p999Micros", micros(all, 99.9));
    figures.put("maxMicros", all.getMaxValue() / 1_000.0);
    figures.put("changes", changes.getTotalCount());
    figures.put("changeP50Micros", micros(changes, 50));
    return figures;
  }

  private static double micros(Histogram histogram, double percentile) {
    return histogram.getValueAtPercentile(percentile) / 1_000.0;
  }

  private final class Searcher extends Thread {
    private final Consumer<String> searcher;
    private final AtomicBoolean stop;
    private final Histogram latencies = new Histogram(DIGITS);
    private volatile RuntimeException failure;

    Searcher(Consumer<String> searcher, AtomicBoolean stop) {
      this.searcher = searcher;
      this.stop = stop;
    }

    @Override
    public void run() {
      try {
        for (int i = 0; !stop.get(); i++) {
          String question = questions.get(i % questions.size());
          long start = System.nanoTime();
          searcher.accept(question);
          latencies.recordValue(System.nanoTime() - start);
        }
      } catch (RuntimeException e) {
        failure = e;
      }
    }
  }
}
