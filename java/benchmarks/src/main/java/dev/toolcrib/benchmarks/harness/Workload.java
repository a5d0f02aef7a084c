package dev.toolcrib.benchmarks.harness;

import java.util.function.Supplier;

/** One workload with its peers. Checks first that all of them do the same, then measures. */
public interface Workload {

  /**
   * Its name, which names it on the command line and in the results.
   *
   * @return one word
   */
  String name();

  /**
   * Measures.
   *
   * @param profile how much
   * @param results where to put what comes out
   * @throws IllegalStateException if those that are compared do not do the same
   */
  void run(Profile profile, Results results) throws Exception;

  /**
   * Ends the measuring of things that cannot be compared.
   *
   * @param same whether they do the same
   * @param what what differs if not
   */
  static void require(boolean same, Supplier<String> what) {
    if (!same) {
      throw new IllegalStateException("not the same: " + what.get());
    }
  }
}
