package dev.toolcrib.demo.domain;

import dev.toolcrib.demo.records.Book;
import dev.toolcrib.demo.records.ToolFailure;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.ZoneId;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** How customers hear of the company 市场. */
final class Marketing extends Domain {

  Marketing() {
    super("marketing");
    on("campaign_result", Marketing::result);
    on("segment_preview", Marketing::segment);
    on("coupon_issue", Marketing::issue);
    on("coupon_redeem", Marketing::redeem);
    on("event_register", Marketing::register);
    on("survey_result", Marketing::survey);
  }

  private static JsonNode result(Book book, Arguments a) {
    ObjectNode campaign = book.table("campaign").get(a.text("campaignNo"));
    BigDecimal spent = Money.of(campaign, "spent");
    ObjectNode answer =
        JSON.createObjectNode()
            .put("campaignNo", a.text("campaignNo"))
            .put("spent", spent)
            .put("revenue", Money.of(campaign, "revenue"));
    answer.put(
        "budgetUsedPercent",
        Money.HUNDRED
            .multiply(spent)
            .divide(Money.of(campaign, "budget"), 1, RoundingMode.HALF_UP));
    return spent.signum() == 0
        ? answer
        : answer.put(
            "roi",
            Money.of(campaign, "revenue").subtract(spent).divide(spent, 2, RoundingMode.HALF_UP));
  }

  private static JsonNode segment(Book book, Arguments a) {
    ArrayNode customers = JSON.createArrayNode();
    for (ObjectNode customer :
        book.table("customer")
            .rows(
                row ->
                    (!a.has("country") || row.get("country").equals(a.json().get("country")))
                        && Money.of(row, "creditLimit")
                                .compareTo(a.decimal("minCredit", BigDecimal.ZERO))
                            >= 0)) {
      BigDecimal ordered =
          Money.sum(
              book
                  .table("order")
                  .rows(order -> order.get("customerId").equals(customer.get("customerId")))
                  .stream()
                  .map(order -> Money.of(order, "total")));
      if (ordered.compareTo(a.decimal("minOrdered", BigDecimal.ZERO)) >= 0) {
        customers
            .addObject()
            .put("customerId", customer.path("customerId").asString())
            .put("name", customer.path("name").asString())
            .put("ordered", ordered);
      }
    }
    ObjectNode answer = JSON.createObjectNode().put("size", customers.size());
    answer.set("customers", customers);
    return answer;
  }

  private static JsonNode issue(Book book, Arguments a) {
    if (book.table("coupon").find(a.text("code")).isPresent()) {
      throw ToolFailure.of("优惠券 %s 已存在。", a.text("code"));
    }
    return book.table("coupon")
        .add(
            JSON.createObjectNode()
                .put("couponCode", a.text("code"))
                .put("percent", a.whole("percent"))
                .put("uses", 0)
                .put("maxUses", a.whole("maxUses"))
                .put("validUntil", a.text("validUntil"))
                .put("status", "active"));
  }

  private static JsonNode redeem(Book book, Arguments a) {
    ObjectNode coupon = book.table("coupon").get(a.text("couponCode"));
    if (LocalDate.parse(coupon.path("validUntil").asString())
        .isBefore(LocalDate.now(ZoneId.systemDefault()))) {
      throw ToolFailure.of(
          "优惠券 %s 已于 %s 过期。", a.text("couponCode"), coupon.path("validUntil").asString());
    }
    if (coupon.path("uses").intValue() >= coupon.path("maxUses").intValue()) {
      throw ToolFailure.of("优惠券 %s 已用完。", a.text("couponCode"));
    }
    coupon.put("uses", coupon.path("uses").intValue() + 1);
    BigDecimal saved = Money.percent(a.decimal("amount"), Money.of(coupon, "percent"));
    return JSON.createObjectNode()
        .put("saved", saved)
        .put("toPay", Money.cents(a.decimal("amount").subtract(saved)))
        .put("usesLeft", coupon.path("maxUses").intValue() - coupon.path("uses").intValue());
  }

  private static JsonNode register(Book book, Arguments a) {
    ObjectNode event = book.table("event").get(a.text("eventNo"));
    ArrayNode attendees =
        event.path("attendees").isArray()
            ? (ArrayNode) event.get("attendees")
            : event.putArray("attendees");
    if (attendees.size() >= event.path("seats").intValue()) {
      throw ToolFailure.of("活动 %s 的 %d 个名额已满。", a.text("eventNo"), attendees.size());
    }
    attendees.add(a.text("attendee"));
    return JSON.createObjectNode()
        .put("eventNo", a.text("eventNo"))
        .put("registered", attendees.size())
        .put("seatsLeft", event.path("seats").intValue() - attendees.size());
  }

  /** Promoters give 9 or 10, detractors 6 or less. */
  private static JsonNode survey(Book book, Arguments a) {
    JsonNode answers = book.table("survey").get(a.text("surveyNo")).path("answers");
    int sum = 0;
    int promoters = 0;
    int detractors = 0;
    for (JsonNode answer : answers) {
      int score = answer.path("score").intValue();
      sum += score;
      promoters += score >= 9 ? 1 : 0;
      detractors += score <= 6 ? 1 : 0;
    }
    int count = answers.size();
    ObjectNode result = JSON.createObjectNode().put("answers", count);
    return count == 0
        ? result
        : result
            .put("average", Math.round(10.0 * sum / count) / 10.0)
            .put("nps", 100 * (promoters - detractors) / count);
  }
}
