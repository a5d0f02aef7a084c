package dev.toolcrib.demo.domain;

import dev.toolcrib.demo.records.Book;
import dev.toolcrib.demo.records.ToolFailure;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the company buys, and from whom 采购. */
final class Purchasing extends Domain {

  Purchasing() {
    super("purchasing");
    on("supplier_rate", Purchasing::rate);
    on("supplier_price_compare", Purchasing::compare);
    on("purchase_order_create", Purchasing::order);
    on("purchase_order_receive", Purchasing::receive);
  }

  /** A new rating counts for a third of the rating so far. */
  private static JsonNode rate(Book book, Arguments a) {
    ObjectNode supplier = book.table("supplier").get(a.text("supplierId"));
    BigDecimal given =
        BigDecimal.valueOf(a.whole("quality") + a.whole("delivery") + a.whole("service"))
            .divide(BigDecimal.valueOf(3), 4, RoundingMode.HALF_UP);
    BigDecimal before = supplier.has("rating") ? Money.of(supplier, "rating") : given;
    return supplier.put(
        "rating",
        before
            .multiply(BigDecimal.valueOf(2))
            .add(given)
            .divide(BigDecimal.valueOf(3), 1, RoundingMode.HALF_UP));
  }

  private static JsonNode compare(Book book, Arguments a) {
    ArrayNode offers = JSON.createArrayNode();
    book.table("supplier")
        .rows()
        .filter(supplier -> supplier.path("status").asString().equals("active"))
        .flatMap(
            supplier ->
                offer(supplier, a.text("sku")).stream()
                    .map(
                        offer -> {
                          ObjectNode row =
                              JSON.createObjectNode()
                                  .put("supplierId", supplier.path("supplierId").asString())
                                  .put("name", supplier.path("name").asString());
                          row.set("price", offer.get("price"));
                          row.put(
                              "total",
                              Money.cents(
                                  Money.of(offer, "price").multiply(a.decimal("quantity"))));
                          row.set("leadDays", offer.get("leadDays"));
                          row.set("rating", supplier.get("rating"));
                          return row;
                        }))
        .filter(row -> row.path("leadDays").intValue() <= a.whole("withinDays", Integer.MAX_VALUE))
        .sorted(Comparator.comparing(row -> Money.of(row, "price")))
        .forEach(offers::add);
    ObjectNode answer = JSON.createObjectNode();
    answer.set("offers", offers);
    if (!offers.isEmpty()) {
      answer.set("cheapest", offers.get(0).get("supplierId"));
      answer.set(
          "fastest",
          StreamSupport.stream(offers.spliterator(), false)
              .min(Comparator.comparingInt(row -> row.path("leadDays").intValue()))
              .orElseThrow()
              .get("supplierId"));
    }
    return answer;
  }

  private static JsonNode order(Book book, Arguments a) {
    ObjectNode supplier = book.table("supplier").get(a.text("supplierId"));
    if (!supplier.path("status").asString().equals("active")) {
      throw ToolFailure.of("供应商 %s 已停用。", supplier.path("name").asString());
    }
    ObjectNode row = a.json().deepCopy();
    ArrayNode lines = JSON.createArrayNode();
    int days = 0;
    for (JsonNode line : a.list("lines")) {
      String sku = line.path("sku").asString();
      JsonNode offer =
          offer(supplier, sku)
              .orElseThrow(
                  () ->
                      ToolFailure.of(
                          "%s 不供应 %s，可用 supplier_price_compare 查询谁供应。",
                          supplier.path("name").asString(), sku));
      ObjectNode priced = (ObjectNode) line.deepCopy();
      priced.set("price", offer.get("price"));
      lines.add(priced);
      days = Math.max(days, offer.path("leadDays").intValue());
    }
    if (a.has("requisitionNo")) {
      ObjectNode requisition = book.table("requisition").get(a.text("requisitionNo"));
      if (!requisition.path("status").asString().equals("approved")) {
        throw ToolFailure.of("请购单 %s 未获批准。", a.text("requisitionNo"));
      }
      requisition.put("status", "ordered");
    }
    row.set("lines", lines);
    row.put("total", Money.total(lines, BigDecimal.ZERO))
        .put("dueOn", LocalDate.now(ZoneId.systemDefault()).plusDays(days).toString())
        .put("status", "draft")
        .put("createdOn", LocalDate.now(ZoneId.systemDefault()).toString())
        .put("createdBy", a.caller().user());
    return book.table("purchaseOrder").add(row);
  }

  private static JsonNode receive(Book book, Arguments a) {
    ObjectNode order = book.table("purchaseOrder").get(a.text("poNo"));
    if (!order.path("status").asString().equals("approved")) {
      throw ToolFailure.of(
          "采购订单 %s 的状态是 %s，批准之后才能收货。", a.text("poNo"), order.path("status").asString());
    }
    Stock stock = new Stock(book);
    order
        .get("lines")
        .forEach(
            line ->
                stock.receive(
                    line.path("sku").asString(),
                    order.path("warehouseCode").asString(),
                    line.path("quantity").intValue(),
                    "purchase",
                    a.text("poNo")));
    return order
        .put("status", "received")
        .put("receivedOn", LocalDate.now(ZoneId.systemDefault()).toString());
  }

  private static Optional<JsonNode> offer(ObjectNode supplier, String sku) {
    return StreamSupport.stream(supplier.path("prices").spliterator(), false)
        .filter(offer -> offer.path("sku").asString().equals(sku))
        .findFirst();
  }
}
