package dev.toolcrib.demo.domain;

import dev.toolcrib.demo.records.Book;
import dev.toolcrib.demo.records.ToolFailure;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Buildings and what happens in them. */
final class Facilities extends Domain {

  private static final int PARKING_SPACES = 10;

  Facilities() {
    super("facilities");
    on("room_find_free", Facilities::findFree);
    on("room_book", Facilities::book);
    on("energy_usage", Facilities::energy);
    on("parking_reserve", Facilities::park);
  }

  private static JsonNode findFree(Book book, Arguments a) {
    requireOrder(a);
    ArrayNode answer = JSON.createArrayNode();
    book.table("room")
        .rows()
        .filter(room -> room.path("seats").intValue() >= a.whole("seats", 1))
        .filter(
            room ->
                StreamSupport.stream(a.list("equipment").spliterator(), false)
                    .allMatch(wanted -> has(room, wanted)))
        .filter(room -> taken(book, room.path("roomId").asString(), a).isEmpty())
        .forEach(answer::add);
    return answer;
  }

  private static JsonNode book(Book book, Arguments a) {
    requireOrder(a);
    taken(book, a.text("roomId"), a).stream()
        .findFirst()
        .ifPresent(
            other -> {
              throw ToolFailure.of(
                  "%s is taken from %s to %s (%s).",
                  a.text("roomId"),
                  other.path("start").asString(),
                  other.path("end").asString(),
                  other.path("title").asString());
            });
    return book.table("booking").add(a.json().deepCopy().put("createdBy", a.caller().user()));
  }

  private static JsonNode energy(Book book, Arguments a) {
    List<ObjectNode> readings =
        book
            .table("reading")
            .rows(
                row ->
                    row.get("meter").equals(a.json().get("meter"))
                        && row.get("building").equals(a.json().get("building")))
            .stream()
            .sorted(Comparator.comparing(row -> row.path("day").asString()))
            .toList();
    ArrayNode answer = JSON.createArrayNode();
    for (int i = 1; i < readings.size(); i++) {
      ObjectNode before = readings.get(i - 1);
      ObjectNode now = readings.get(i);
      long days =
          Math.max(
              1,
              ChronoUnit.DAYS.between(
                  LocalDate.parse(before.path("day").asString()),
                  LocalDate.parse(now.path("day").asString())));
      double used = now.path("value").doubleValue() - before.path("value").doubleValue();
      answer
          .addObject()
          .put("from", before.path("day").asString())
          .put("to", now.path("day").asString())
          .put("used", used)
          .put("perDay", Math.round(10 * used / days) / 10.0);
    }
    return answer;
  }

  private static JsonNode park(Book book, Arguments a) {
    List<ObjectNode> that =
        book.table("parking").rows(row -> row.get("day").equals(a.json().get("day")));
    if (that.size() >= PARKING_SPACES) {
      throw ToolFailure.of("All %d parking spaces are taken on %s.", PARKING_SPACES, a.text("day"));
    }
    return book.table("parking").add(a.json().deepCopy().put("space", that.size() + 1));
  }

  private static List<ObjectNode> taken(Book book, String room, Arguments a) {
    return book.table("booking")
        .rows(
            row ->
                row.path("roomId").asString().equals(room)
                    && row.get("day").equals(a.json().get("day"))
                    && row.path("start").asString().compareTo(a.text("end")) < 0
                    && row.path("end").asString().compareTo(a.text("start")) > 0);
  }

  private static boolean has(ObjectNode room, JsonNode equipment) {
    return StreamSupport.stream(room.path("equipment").spliterator(), false)
        .anyMatch(equipment::equals);
  }

  private static void requireOrder(Arguments a) {
    if (a.text("start").compareTo(a.text("end")) >= 0) {
      throw ToolFailure.of(
          "The end, %s, is not after the start, %s.", a.text("end"), a.text("start"));
    }
  }
}
