package dev.toolcrib.demo.domain;

import dev.toolcrib.Caller;
import dev.toolcrib.demo.records.Book;
import dev.toolcrib.demo.records.ToolFailure;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The arguments of one call. They satisfy the tool's schema already, so a required one is there and
 * of its type.
 *
 * @param caller who calls
 * @param json the arguments as they came
 */
record Arguments(Caller caller, ObjectNode json) {

  boolean has(String name) {
    return json.hasNonNull(name);
  }

  String text(String name) {
    return json.get(name).asString();
  }

  String text(String name, String otherwise) {
    return has(name) ? text(name) : otherwise;
  }

  int whole(String name, int otherwise) {
    return has(name) ? json.get(name).intValue() : otherwise;
  }

  int whole(String name) {
    return json.get(name).intValue();
  }

  BigDecimal decimal(String name) {
    return json.get(name).decimalValue();
  }

  BigDecimal decimal(String name, BigDecimal otherwise) {
    return has(name) ? decimal(name) : otherwise;
  }

  LocalDate date(String name) {
    return LocalDate.parse(text(name));
  }

  Optional<LocalDate> dateIfAny(String name) {
    return has(name) ? Optional.of(date(name)) : Optional.empty();
  }

  JsonNode list(String name) {
    return json.path(name);
  }

  /**
   * Makes sure that every id among the arguments, at any depth, is that of a row.
   *
   * @throws ToolFailure naming the first that is not
   */
  void checkReferences(Book book) {
    checkReferences(book, json);
  }

  private static void checkReferences(Book book, JsonNode node) {
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      if (field.getValue().isString()) {
        book.identifiedBy(field.getKey()).ifPresent(t -> t.get(field.getValue().asString()));
      }
      checkReferences(book, field.getValue());
    }
    if (node.isArray()) {
      node.forEach(element -> checkReferences(book, element));
    }
  }
}
