package dev.toolcrib.benchmarks.harness;

import java.util.List;

/**
 * How much is measured.
 *
 * @param name its name on the command line
 * @param catalogues kinds of tools
 * @param sizes numbers of tools in the registry
 * @param middle the one number of tools where only one is measured
 * @param rounds rounds of every benchmark; each is one iteration
 * @param iterationMillis length of an iteration; one operation at least is finished
 * @param warmupMillis length of the warm-up before the first round
 * @param loadMillis how long searchers run while something changes
 * @param sessions sessions opened at once to measure their memory
 * @param questions questions per set to measure quality; 0 leaves it out
 */
public record Profile(
    String name,
    List<String> catalogues,
    List<Integer> sizes,
    int middle,
    int rounds,
    int iterationMillis,
    int warmupMillis,
    int loadMillis,
    int sessions,
    int questions) {

  /** Every benchmark once, so that none rots. Measures nothing; needs no data. */
  public static final Profile SMOKE =
      new Profile("smoke", List.of("synthetic"), List.of(100), 100, 1, 20, 20, 100, 20, 0);

  /** At most 20 minutes on two cores. */
  public static final Profile BOUNDED =
      new Profile(
          "bounded",
          List.of("real"),
          List.of(100, 1_000, 10_000, 100_000),
          10_000,
          7,
          300,
          500,
          3_000,
          10_000,
          150);

  /** About two hours on two cores. */
  public static final Profile FULL =
      new Profile(
          "full",
          List.of("real", "synthetic"),
          List.of(100, 1_000, 10_000, 100_000),
          10_000,
          25,
          1_000,
          5_000,
          20_000,
          10_000,
          1_000);

  /**
   * The profile of a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Profile named(String name) {
    return List.of(SMOKE, BOUNDED, FULL).stream()
        .filter(profile -> profile.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no profile is called " + name));
  }
}
