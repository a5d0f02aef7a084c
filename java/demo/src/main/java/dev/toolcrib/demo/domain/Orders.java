package dev.toolcrib.demo.domain;

import dev.toolcrib.demo.records.Book;
import dev.toolcrib.demo.records.ToolFailure;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Sales orders 销售订单. */
final class Orders extends Domain {

  Orders() {
    super("orders");
    on("quote_create", Orders::quote);
    on("quote_convert", Orders::convert);
    on("order_create", Orders::create);
    on("order_update_lines", Orders::updateLines);
    on("order_confirm", Orders::confirm);
    on("order_cancel", Orders::cancel);
    on("return_request", Orders::requestReturn);
    on("return_refund", Orders::refund);
  }

  private static JsonNode quote(Book book, Arguments a) {
    ObjectNode quote = priced(book, a, "open");
    quote.put(
        "validUntil",
        LocalDate.now(ZoneId.systemDefault()).plusDays(a.whole("validDays", 30)).toString());
    quote.remove("validDays");
    return book.table("quote").add(quote);
  }

  private static JsonNode convert(Book book, Arguments a) {
    ObjectNode quote = book.table("quote").get(a.text("quoteNo"));
    if (!quote.path("status").asString().equals("open")) {
      throw ToolFailure.of(
          "报价单 %s 已是 %s，不能再转订单。", a.text("quoteNo"), quote.path("status").asString());
    }
    if (LocalDate.parse(quote.path("validUntil").asString())
        .isBefore(LocalDate.now(ZoneId.systemDefault()))) {
      throw ToolFailure.of("报价单 %s 已过有效期，请重新报价。", a.text("quoteNo"));
    }
    quote.put("status", "converted");
    ObjectNode order = quote.deepCopy();
    order.remove("validUntil");
    order.put("status", "draft").put("warehouseCode", a.text("warehouseCode"));
    return book.table("order")
        .add(order.put("createdOn", LocalDate.now(ZoneId.systemDefault()).toString()));
  }

  private static JsonNode create(Book book, Arguments a) {
    return book.table("order").add(priced(book, a, "draft"));
  }

  private static JsonNode updateLines(Book book, Arguments a) {
    ObjectNode order = inStatus(book, a, "draft");
    order.set("lines", pricedLines(book, a.list("lines")));
    return order.put("total", Money.total(order.get("lines"), Money.of(order, "discountPercent")));
  }

  private static JsonNode confirm(Book book, Arguments a) {
    ObjectNode order = inStatus(book, a, "draft");
    Stock stock = new Stock(book);
    String warehouse = order.path("warehouseCode").asString();
    List<String> short_ = new ArrayList<>();
    for (JsonNode line : order.get("lines")) {
      int available = stock.available(line.path("sku").asString(), warehouse);
      if (available < line.path("quantity").intValue()) {
        short_.add(
            "%s 需要 %d，可用 %d"
                .formatted(
                    line.path("sku").asString(), line.path("quantity").intValue(), available));
      }
    }
    if (!short_.isEmpty()) {
      throw ToolFailure.of("%s 仓库存不足：%s。", warehouse, String.join("；", short_));
    }
    order
        .get("lines")
        .forEach(
            line ->
                stock.reserve(
                    line.path("sku").asString(), warehouse, line.path("quantity").intValue()));
    return order.put("status", "confirmed");
  }

  private static JsonNode cancel(Book book, Arguments a) {
    ObjectNode order = inStatus(book, a, "draft", "confirmed", "on_hold");
    if (!order.path("status").asString().equals("draft")) {
      Stock stock = new Stock(book);
      order
          .get("lines")
          .forEach(
              line ->
                  stock.release(
                      line.path("sku").asString(),
                      order.path("warehouseCode").asString(),
                      line.path("quantity").intValue()));
    }
    return order.put("status", "cancelled").put("reason", a.text("reason"));
  }

  private static JsonNode requestReturn(Book book, Arguments a) {
    ObjectNode order = inStatus(book, a, "shipped", "delivered");
    for (JsonNode line : a.list("lines")) {
      String sku = line.path("sku").asString();
      int ordered = ordered(order, sku).path("quantity").intValue();
      if (line.path("quantity").intValue() > ordered) {
        throw ToolFailure.of(
            "订单 %s 中 %s 只有 %d，不能退 %d。",
            a.text("orderNo"), sku, ordered, line.path("quantity").intValue());
      }
    }
    return book.table("return")
        .add(
            a.json()
                .deepCopy()
                .put("status", "requested")
                .put("createdOn", LocalDate.now(ZoneId.systemDefault()).toString()));
  }

  private static JsonNode refund(Book book, Arguments a) {
    ObjectNode goods = book.table("return").get(a.text("returnNo"));
    if (!goods.path("status").asString().equals("approved")) {
      throw ToolFailure.of(
          "退货单 %s 的状态是 %s，须先审批（return_approve）。",
          a.text("returnNo"), goods.path("status").asString());
    }
    ObjectNode order = book.table("order").get(goods.path("orderNo").asString());
    BigDecimal refund = BigDecimal.ZERO;
    for (JsonNode line : goods.get("lines")) {
      String sku = line.path("sku").asString();
      refund =
          refund.add(Money.of(ordered(order, sku), "price").multiply(Money.of(line, "quantity")));
      new Stock(book)
          .receive(
              sku,
              a.text("warehouseCode"),
              line.path("quantity").intValue(),
              "return",
              a.text("returnNo"));
    }
    refund =
        Money.cents(refund.subtract(Money.percent(refund, Money.of(order, "discountPercent"))));
    ObjectNode credit = JSON.createObjectNode();
    credit.set("customerId", order.get("customerId"));
    credit.set("orderNo", order.get("orderNo"));
    credit
        .put("amount", refund)
        .put("reason", "return")
        .put("createdOn", LocalDate.now(ZoneId.systemDefault()).toString());
    goods.put("status", "refunded").put("refund", refund);
    goods.set("creditNoteNo", book.table("creditNote").add(credit).get("creditNoteNo"));
    return goods;
  }

  /** The arguments as a row, with catalogue prices in the lines and a total. */
  private static ObjectNode priced(Book book, Arguments a, String status) {
    ObjectNode row = a.json().deepCopy();
    row.set("lines", pricedLines(book, a.list("lines")));
    BigDecimal discount = a.decimal("discountPercent", BigDecimal.ZERO);
    return row.put("discountPercent", discount)
        .put("total", Money.total(row.get("lines"), discount))
        .put("status", status)
        .put("createdOn", LocalDate.now(ZoneId.systemDefault()).toString())
        .put("createdBy", a.caller().user());
  }

  private static ArrayNode pricedLines(Book book, JsonNode lines) {
    ArrayNode priced = JSON.createArrayNode();
    for (JsonNode line : lines) {
      ObjectNode copy = (ObjectNode) line.deepCopy();
      copy.set("price", book.table("product").get(line.path("sku").asString()).get("price"));
      priced.add(copy);
    }
    return priced;
  }

  private static JsonNode ordered(ObjectNode order, String sku) {
    for (JsonNode line : order.get("lines")) {
      if (line.path("sku").asString().equals(sku)) {
        return line;
      }
    }
    throw ToolFailure.of("订单 %s 中没有 %s。", order.path("orderNo").asString(), sku);
  }

  private static ObjectNode inStatus(Book book, Arguments a, String... allowed) {
    ObjectNode order = book.table("order").get(a.text("orderNo"));
    String status = order.path("status").asString();
    if (!List.of(allowed).contains(status)) {
      throw ToolFailure.of(
          "订单 %s 当前状态为 %s，此操作只允许在状态 %s 下进行。",
          a.text("orderNo"), status, String.join(" / ", allowed));
    }
    return order;
  }
}
