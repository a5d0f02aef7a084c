package dev.toolcrib.benchmarks.data;

import dev.toolcrib.ToolSelection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a caller may use: the tools of some business domains.
 *
 * @param domains the domains; all of them stand for everything
 */
public record Rights(Set<String> domains) {

  /** Every tool. */
  public static final Rights ALL = first(Tool.DOMAINS);

  /**
   * Rights by name.
   *
   * @param name {@code all}, {@code half} or {@code tenth} of the domains
   */
  public static Rights named(String name) {
    return switch (name) {
      case "all" -> ALL;
      case "half" -> first(Tool.DOMAINS / 2);
      case "tenth" -> first(Tool.DOMAINS / 10);
      default -> throw new IllegalArgumentException("no rights are called " + name);
    };
  }

  /**
   * About half of the domains, another half for every number up to 2^32.
   *
   * @param number which
   */
  public static Rights half(long number) {
    // Each domain or its neighbour, so that the size hardly changes.
    return new Rights(
        IntStream.range(0, Tool.DOMAINS / 2)
            .mapToObj(i -> Tool.domain(2 * i + (int) (number >> i & 1)))
            .collect(Collectors.toUnmodifiableSet()));
  }

  /** Whether these are all tools. */
  public boolean isAll() {
    return domains.size() == Tool.DOMAINS;
  }

  /** As Toolcrib takes them. */
  public ToolSelection selection() {
    return isAll() ? ToolSelection.all() : ToolSelection.domains(domains.toArray(String[]::new));
  }

  /** Those of some tools that they are rights to. */
  public List<Tool> of(List<Tool> tools) {
    return tools.stream().filter(tool -> domains.contains(tool.domain())).toList();
  }

  private static Rights first(int count) {
    return new Rights(
        IntStream.range(0, count).mapToObj(Tool::domain).collect(Collectors.toUnmodifiableSet()));
  }
}
