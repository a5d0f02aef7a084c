package dev.toolcrib.benchmarks.data;

import java.util.function.Function;

/**
 * Keeps what was made for the latest key. The rounds of a benchmark alternate between methods of
 * one JVM and ask for the same fixture each time; another case frees the former.
 *
 * @param <K> what tells cases apart
 * @param <V> a fixture
 */
public final class Latest<K, V extends AutoCloseable> {

  private final Function<K, V> make;
  private K key;
  private V value;

  /**
   * Starts empty.
   *
   * @param make makes the fixture of a case
   */
  public Latest(Function<K, V> make) {
    this.make = make;
  }

  /** The fixture of a case. */
  public synchronized V of(K wanted) {
    if (!wanted.equals(key)) {
      close();
      value = make.apply(wanted);
      key = wanted;
    }
    return value;
  }

  /** Frees the fixture. */
  public synchronized void close() {
    if (value != null) {
      try {
        value.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
    key = null;
    value = null;
  }
}
