package dev.toolcrib;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A set of tools, described rather than listed, so that "everything in logistics but what is tagged
 * destructive" costs the same over ten tools and over a hundred thousand.
 *
 * <p>Immutable. Two selections of the same form are equal; equality says nothing of two forms that
 * happen to select the same tools.
 */
public final class ToolSelection {

  /** Deepest nesting of {@code and}, {@code or} and {@code not}. */
  public static final int MAX_DEPTH = 32;

  // The position of each is its number on the wire.
  private enum Kind {
    NONE,
    ALL,
    NAMES,
    SOURCES,
    DOMAINS,
    TAGS,
    EXPOSURES,
    AND,
    OR,
    NOT
  }

  private static final ToolSelection NOTHING = new ToolSelection(Kind.NONE, List.of(), List.of());
  private static final ToolSelection EVERYTHING = new ToolSelection(Kind.ALL, List.of(), List.of());

  private final Kind kind;
  private final List<String> terms;
  private final List<ToolSelection> operands;
  private final int depth;
  private final int hash;

  private ToolSelection(Kind kind, List<String> terms, List<ToolSelection> operands) {
    this.kind = kind;
    this.terms = terms;
    this.operands = operands;
    this.depth = 1 + operands.stream().mapToInt(operand -> operand.depth).max().orElse(0);
    this.hash = Objects.hash(kind, terms, operands);
    if (depth > MAX_DEPTH) {
      throw new IllegalArgumentException(
          "a selection may be nested %s deep, not deeper".formatted(MAX_DEPTH));
    }
  }

  /**
   * No tool.
   *
   * @return the selection
   */
  public static ToolSelection none() {
    return NOTHING;
  }

  /**
   * Every tool.
   *
   * @return the selection
   */
  public static ToolSelection all() {
    return EVERYTHING;
  }

  /**
   * The tools of these public names; names that no tool has are allowed.
   *
   * @param names public names
   * @return the selection
   */
  public static ToolSelection names(Collection<String> names) {
    return of(Kind.NAMES, names);
  }

  /**
   * The tools of these public names; names that no tool has are allowed.
   *
   * @param names public names
   * @return the selection
   */
  public static ToolSelection names(String... names) {
    return names(List.of(names));
  }

  /**
   * The tools of any of these sources.
   *
   * @param sources names of sources
   * @return the selection
   */
  public static ToolSelection sources(String... sources) {
    return of(Kind.SOURCES, List.of(sources));
  }

  /**
   * The tools of any of these business domains.
   *
   * @param domains domains
   * @return the selection
   */
  public static ToolSelection domains(String... domains) {
    return of(Kind.DOMAINS, List.of(domains));
  }

  /**
   * The tools that carry any of these tags.
   *
   * @param tags tags
   * @return the selection
   */
  public static ToolSelection tags(String... tags) {
    return of(Kind.TAGS, List.of(tags));
  }

  /**
   * The tools of this exposure.
   *
   * @param exposure the exposure
   * @return the selection
   */
  public static ToolSelection exposure(Exposure exposure) {
    return of(Kind.EXPOSURES, List.of(exposure.name()));
  }

  /**
   * The tools in this selection and in the other.
   *
   * @param other the other
   * @return the intersection
   */
  public ToolSelection and(ToolSelection other) {
    return join(Kind.AND, other);
  }

  /**
   * The tools in this selection, in the other, or in both.
   *
   * @param other the other
   * @return the union
   */
  public ToolSelection or(ToolSelection other) {
    return join(Kind.OR, other);
  }

  /**
   * The tools in this selection and not in the other.
   *
   * @param other the other
   * @return the difference
   */
  public ToolSelection except(ToolSelection other) {
    return and(other.not());
  }

  /**
   * Every tool that is not in this selection.
   *
   * @return the complement
   */
  public ToolSelection not() {
    return switch (kind) {
      case NONE -> EVERYTHING;
      case ALL -> NOTHING;
      case NOT -> operands.get(0);
      default -> new ToolSelection(Kind.NOT, List.of(), List.of(this));
    };
  }

  private static ToolSelection of(Kind kind, Collection<String> terms) {
    // Sorted, so that equality does not depend on the order in which rights were collected.
    return terms.isEmpty()
        ? NOTHING
        : new ToolSelection(kind, List.copyOf(new TreeSet<>(terms)), List.of());
  }

  private ToolSelection join(Kind kind, ToolSelection other) {
    ToolSelection neutral = kind == Kind.AND ? EVERYTHING : NOTHING;
    ToolSelection absorbing = kind == Kind.AND ? NOTHING : EVERYTHING;
    if (equals(absorbing) || other.equals(absorbing)) {
      return absorbing;
    }
    List<ToolSelection> flat =
        Stream.of(this, other)
            .flatMap(s -> s.kind == kind ? s.operands.stream() : Stream.of(s))
            .filter(Predicate.not(neutral::equals))
            .distinct()
            .toList();
    return switch (flat.size()) {
      case 0 -> neutral;
      case 1 -> flat.get(0);
      default -> new ToolSelection(kind, List.of(), flat);
    };
  }

  void writeTo(FrameWriter frame) {
    frame.constant(kind);
    switch (kind) {
      case NONE, ALL -> {}
      case NAMES, SOURCES, DOMAINS, TAGS -> frame.texts(terms);
      case EXPOSURES -> frame.constant(Exposure.valueOf(terms.get(0)));
      case AND, OR -> frame.list(operands, (f, operand) -> operand.writeTo(f));
      case NOT -> operands.get(0).writeTo(frame);
    }
  }

  @Override
  public boolean equals(Object o) {
    return this == o
        || (o instanceof ToolSelection other
            && hash == other.hash
            && kind == other.kind
            && terms.equals(other.terms)
            && operands.equals(other.operands));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return switch (kind) {
      case NONE, ALL -> word();
      case NAMES, SOURCES, DOMAINS, TAGS, EXPOSURES -> word() + terms;
      case NOT -> "not(" + operands.get(0) + ")";
      case AND, OR ->
          operands.stream()
              .map(ToolSelection::toString)
              .collect(Collectors.joining(" " + word() + " ", "(", ")"));
    };
  }

  private String word() {
    return kind.name().toLowerCase(java.util.Locale.ROOT);
  }
}
