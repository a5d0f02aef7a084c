package dev.toolcrib.benchmarks.search;

import java.util.List;

/** Finds tools among those that one caller may use. */
public interface SearchEngine extends AutoCloseable {

  /** Hits of a search, as many as Toolcrib gives by default. */
  int HITS = 5;

  /**
   * Searches as a service would, and returns what the engine gives it.
   *
   * @param question what is asked
   * @return the engine's own result
   */
  Object search(String question);

  /**
   * What a search finds.
   *
   * @param question what is asked
   * @param limit most hits
   * @return keys of tools, best first
   */
  List<String> find(String question, int limit);

  @Override
  default void close() {}
}
