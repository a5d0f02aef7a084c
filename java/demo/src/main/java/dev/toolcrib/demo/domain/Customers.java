package dev.toolcrib.demo.domain;

import dev.toolcrib.demo.records.Book;
import dev.toolcrib.demo.records.ToolFailure;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Customers and those who may become some. */
final class Customers extends Domain {

  private static final Map<String, BigDecimal> PROBABILITY =
      Map.of(
          "qualified",
          new BigDecimal("0.2"),
          "proposal",
          new BigDecimal("0.45"),
          "negotiation",
          new BigDecimal("0.7"));

  Customers() {
    super("crm");
    on("customer_credit_check", Customers::credit);
    on("customer_timeline", Customers::timeline);
    on("lead_qualify", Customers::qualify);
    on("pipeline_forecast", Customers::forecast);
  }

  private static JsonNode credit(Book book, Arguments a) {
    ObjectNode customer = book.table("customer").get(a.text("customerId"));
    BigDecimal invoiced =
        Money.sum(
            of(book, "invoice", a)
                .filter(row -> row.path("status").asString().equals("sent"))
                .map(row -> Money.of(row, "gross").subtract(Money.of(row, "paid"))));
    BigDecimal ordered =
        Money.sum(
            of(book, "order", a)
                .filter(row -> row.path("status").asString().matches("confirmed|on_hold"))
                .map(row -> Money.of(row, "total")));
    BigDecimal free = Money.of(customer, "creditLimit").subtract(invoiced).subtract(ordered);
    return JSON.createObjectNode()
        .put("customerId", a.text("customerId"))
        .put("creditLimit", Money.of(customer, "creditLimit"))
        .put("openInvoices", invoiced)
        .put("openOrders", ordered)
        .put("free", free)
        .put("fits", free.compareTo(a.decimal("newOrder", BigDecimal.ZERO)) >= 0);
  }

  private static JsonNode timeline(Book book, Arguments a) {
    book.table("customer").get(a.text("customerId"));
    ArrayNode answer = JSON.createArrayNode();
    Stream.of("order", "invoice", "complaint", "activity")
        .flatMap(
            table ->
                of(book, table, a)
                    .map(
                        row ->
                            JSON.createObjectNode()
                                .put(
                                    "on",
                                    row.path("issuedOn")
                                        .asString(row.path("createdOn").asString("")))
                                .put("what", table)
                                .put("id", row.path(book.table(table).definition().id()).asString())
                                .put("status", row.path("status").asString(""))))
        .sorted(Comparator.comparing((ObjectNode row) -> row.path("on").asString()).reversed())
        .limit(a.whole("limit", 20))
        .forEach(answer::add);
    return answer;
  }

  private static JsonNode qualify(Book book, Arguments a) {
    ObjectNode lead = book.table("lead").get(a.text("leadId"));
    if (!lead.path("status").asString().equals("open")) {
      throw ToolFailure.of("%s was qualified before.", a.text("leadId"));
    }
    ObjectNode customer =
        JSON.createObjectNode()
            .put("name", lead.path("company").asString())
            .put("country", lead.path("country").asString(""))
            .put("city", a.text("city"))
            .put("creditLimit", 0)
            .put("status", "active");
    JsonNode customerId = book.table("customer").add(customer).get("customerId");
    ObjectNode opportunity = JSON.createObjectNode();
    opportunity.set("customerId", customerId);
    opportunity
        .put("title", a.text("title"))
        .put("value", a.decimal("value"))
        .put("stage", "qualified")
        .put("closeOn", a.text("closeOn"));
    lead.put("status", "qualified");
    lead.set("customerId", customerId);
    lead.set("opportunityId", book.table("opportunity").add(opportunity).get("opportunityId"));
    return lead;
  }

  private static JsonNode forecast(Book book, Arguments a) {
    String from = a.text("from", "");
    String to = a.text("to", "9999");
    BigDecimal total = BigDecimal.ZERO;
    ObjectNode stages = JSON.createObjectNode();
    for (ObjectNode row :
        book.table("opportunity")
            .rows(
                row ->
                    row.path("closeOn").asString().compareTo(from) >= 0
                        && row.path("closeOn").asString().compareTo(to) <= 0)) {
      String stage = row.path("stage").asString();
      BigDecimal weighted =
          Money.cents(
              Money.of(row, "value").multiply(PROBABILITY.getOrDefault(stage, BigDecimal.ZERO)));
      if (weighted.signum() > 0) {
        stages.put(stage, Money.of(stages, stage).add(weighted));
        total = total.add(weighted);
      }
    }
    ObjectNode answer = JSON.createObjectNode();
    answer.set("byStage", stages);
    return answer.put("forecast", total);
  }

  private static Stream<ObjectNode> of(Book book, String table, Arguments a) {
    return book
        .table(table)
        .rows(row -> row.path("customerId").asString("").equals(a.text("customerId")))
        .stream();
  }
}
