package dev.toolcrib.demo.domain;

import dev.toolcrib.demo.records.Book;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Contracts and disputes. */
final class Legal extends Domain {

  Legal() {
    super("legal");
    on("contract_expiring", Legal::expiring);
    on("sanctions_screen", Legal::screen);
  }

  private static JsonNode expiring(Book book, Arguments a) {
    String until = LocalDate.now(ZoneId.systemDefault()).plusDays(a.whole("days")).toString();
    ArrayNode answer = JSON.createArrayNode();
    book.table("contract")
        .rows()
        .filter(
            row ->
                row.path("status").asString().equals("signed")
                    && row.path("endsOn").asString().compareTo(until) <= 0)
        .sorted(Comparator.comparing(row -> row.path("endsOn").asString()))
        .forEach(answer::add);
    return answer;
  }

  private static JsonNode screen(Book book, Arguments a) {
    ArrayNode answer = JSON.createArrayNode();
    double threshold = a.decimal("threshold", new BigDecimal("0.75")).doubleValue();
    book.table("sanctioned")
        .rows()
        .forEach(
            row -> {
              double similarity = similarity(a.text("name"), row.path("listedName").asString());
              if (similarity >= threshold) {
                answer
                    .addObject()
                    .put("listedName", row.path("listedName").asString())
                    .put("similarity", Math.round(100 * similarity) / 100.0);
              }
            });
    return answer;
  }

  /**
   * Dice's coefficient over pairs of letters: 1 for equal names, 0 for names with no pair in
   * common.
   */
  private static double similarity(String a, String b) {
    Set<String> left = pairs(a);
    Set<String> right = pairs(b);
    Set<String> both = new HashSet<>(left);
    both.retainAll(right);
    return left.isEmpty() || right.isEmpty() ? 0 : 2.0 * both.size() / (left.size() + right.size());
  }

  private static Set<String> pairs(String name) {
    String letters = name.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]", "");
    Set<String> pairs = new HashSet<>();
    for (int i = 0; i + 2 <= letters.length(); i++) {
      pairs.add(letters.substring(i, i + 2));
    }
    return pairs;
  }
}
