package dev.toolcrib.benchmarks.search;

import java.util.List;
import java.util.Set;

/** nDCG@10 with binary gains, all gold wanted. */
final class Gain {

  /** Hits that count. */
  static final int CUT = 10;

  private Gain() {}

  /**
   * The measure of one answer.
   *
   * @param keys keys of tools, best first
   * @param gold names of the tools wanted
   */
  static double normalized(List<String> keys, Set<String> gold) {
    double gain = 0;
    double ideal = 0;
    for (int i = 0; i < CUT; i++) {
      double discount = 1 / (Math.log(i + 2) / Math.log(2));
      String name = i < keys.size() ? keys.get(i).substring(keys.get(i).indexOf('/') + 1) : "";
      gain += gold.contains(name) ? discount : 0;
      ideal += i < gold.size() ? discount : 0;
    }
    return gain / ideal;
  }
}
