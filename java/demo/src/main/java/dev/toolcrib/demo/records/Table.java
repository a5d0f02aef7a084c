package dev.toolcrib.demo.records;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Rows of one kind that one tenant has, in the order in which they came. Not thread-safe: whoever
 * uses it holds the lock of its {@link Book}.
 */
public final class Table {

  private final Definition definition;
  private final Map<String, ObjectNode> rows = new LinkedHashMap<>();
  private long last;

  /**
   * What all tenants' tables of one kind have in common.
   *
   * @param name the kind, for example {@code order}
   * @param id the field that identifies a row; no other table has a field of this name as its id
   * @param prefix what generated ids start with
   * @param date the field that {@code from} and {@code to} of a search mean
   */
  public record Definition(String name, String id, String prefix, @Nullable String date) {}

  Table(Definition definition) {
    this.definition = definition;
  }

  /** What this table has in common with those of other tenants. */
  public Definition definition() {
    return definition;
  }

  /** The row of an id. */
  public Optional<ObjectNode> find(String id) {
    return Optional.ofNullable(rows.get(id));
  }

  /**
   * The row of an id that should exist.
   *
   * @throws ToolFailure if there is none
   */
  public ObjectNode get(String id) {
    return find(id)
        .orElseThrow(
            () ->
                new ToolFailure(
                    "没有 %2$s 为 %3$s 的记录（%1$s）。",
                    "There is no %1$s with %2$s %3$s.", definition.name(), definition.id(), id));
  }

  /** All rows, oldest first. */
  public Stream<ObjectNode> rows() {
    return new ArrayList<>(rows.values()).stream();
  }

  /** The rows that fit, oldest first. */
  public List<ObjectNode> rows(Predicate<ObjectNode> fits) {
    return rows().filter(fits).toList();
  }

  /**
   * Adds a row, with an id of its own if it has none yet, which then stands first.
   *
   * @return the row as it is kept
   */
  public ObjectNode add(ObjectNode row) {
    ObjectNode kept = JsonNodeFactory.instance.objectNode();
    String id = row.path(definition.id()).asString("");
    if (id.isEmpty()) {
      id = definition.prefix() + (last + 1);
    }
    kept.put(definition.id(), id);
    row.properties().forEach(field -> kept.set(field.getKey(), field.getValue()));
    kept.put(definition.id(), id);
    rows.put(id, kept);
    last = Math.max(last, number(id));
    return kept;
  }

  /**
   * Removes a row that should exist.
   *
   * @throws ToolFailure if there is none
   */
  public ObjectNode remove(String id) {
    ObjectNode row = get(id);
    rows.remove(id);
    return row;
  }

  private static long number(String id) {
    int start = id.length();
    while (start > 0 && Character.isDigit(id.charAt(start - 1)) && id.length() - start < 9) {
      start--;
    }
    return start == id.length() ? 0 : Long.parseLong(id.substring(start));
  }
}
