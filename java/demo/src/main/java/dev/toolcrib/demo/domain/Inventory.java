package dev.toolcrib.demo.domain;

import dev.toolcrib.demo.records.Book;
import dev.toolcrib.demo.records.ToolFailure;
import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Stock and what it consists of 库存. */
final class Inventory extends Domain {

  Inventory() {
    super("inventory");
    on("stock_get", Inventory::get);
    on("stock_find_low", Inventory::findLow);
    on("stock_value", Inventory::value);
    on(
        "stock_receive",
        (book, a) ->
            new Stock(book)
                .receive(
                    a.text("sku"),
                    a.text("warehouseCode"),
                    a.whole("quantity"),
                    a.text("reason"),
                    a.text("reference", "")));
    on(
        "stock_issue",
        (book, a) ->
            new Stock(book)
                .issue(
                    a.text("sku"),
                    a.text("warehouseCode"),
                    a.whole("quantity"),
                    a.text("reason"),
                    a.text("reference", "")));
    on("stock_transfer", Inventory::transfer);
    on(
        "stock_adjust",
        (book, a) ->
            new Stock(book)
                .adjust(a.text("sku"), a.text("warehouseCode"), a.whole("delta"), a.text("note")));
    on(
        "stock_reserve",
        (book, a) ->
            new Stock(book).reserve(a.text("sku"), a.text("warehouseCode"), a.whole("quantity")));
    on(
        "stock_release",
        (book, a) ->
            new Stock(book).release(a.text("sku"), a.text("warehouseCode"), a.whole("quantity")));
    on("stocktake_record", Inventory::count);
    on("stocktake_close", Inventory::closeStocktake);
  }

  private static JsonNode get(Book book, Arguments a) {
    ObjectNode product = book.table("product").get(a.text("sku"));
    ObjectNode answer = JSON.createObjectNode().put("sku", a.text("sku"));
    answer.set("name", product.get("name"));
    ArrayNode places = answer.putArray("warehouses");
    int available = 0;
    for (ObjectNode row :
        book.table("stock")
            .rows(
                row ->
                    row.path("sku").asString().equals(a.text("sku"))
                        && (!a.has("warehouseCode")
                            || row.get("warehouseCode").equals(a.json().get("warehouseCode"))))) {
      ObjectNode place = places.addObject();
      for (String field : new String[] {"warehouseCode", "onHand", "reserved"}) {
        place.set(field, row.get(field));
      }
      place.put("available", Stock.available(row));
      available += Stock.available(row);
    }
    return answer.put("available", available);
  }

  private static JsonNode findLow(Book book, Arguments a) {
    ArrayNode answer = JSON.createArrayNode();
    for (ObjectNode product :
        book.table("product")
            .rows(p -> !a.has("category") || p.get("category").equals(a.json().get("category")))) {
      String sku = product.path("sku").asString();
      int available =
          book.table("stock").rows(row -> row.path("sku").asString().equals(sku)).stream()
              .mapToInt(Stock::available)
              .sum();
      int point = product.path("reorderPoint").intValue();
      if (available < point) {
        answer
            .addObject()
            .put("sku", sku)
            .put("name", product.path("name").asString())
            .put("available", available)
            .put("reorderPoint", point)
            .put("suggested", 2 * point - available);
      }
    }
    return answer;
  }

  private static JsonNode value(Book book, Arguments a) {
    Map<String, BigDecimal> values = new TreeMap<>();
    for (ObjectNode row :
        book.table("stock")
            .rows(
                row ->
                    !a.has("warehouseCode")
                        || row.get("warehouseCode").equals(a.json().get("warehouseCode")))) {
      BigDecimal cost = Money.of(book.table("product").get(row.path("sku").asString()), "cost");
      values.merge(
          row.path("warehouseCode").asString(),
          cost.multiply(Money.of(row, "onHand")),
          BigDecimal::add);
    }
    ObjectNode answer = JSON.createObjectNode().put("currency", "CNY");
    ObjectNode warehouses = answer.putObject("warehouses");
    values.forEach((warehouse, value) -> warehouses.put(warehouse, Money.cents(value)));
    return answer.put("total", Money.cents(Money.sum(values.values().stream())));
  }

  private static JsonNode transfer(Book book, Arguments a) {
    String from = a.text("fromWarehouse");
    String to = a.text("toWarehouse");
    if (from.equals(to)) {
      throw ToolFailure.of("调出仓与调入仓相同：%s。", from);
    }
    book.table("warehouse").get(from);
    book.table("warehouse").get(to);
    Stock stock = new Stock(book);
    ObjectNode answer = JSON.createObjectNode();
    answer.set("from", stock.issue(a.text("sku"), from, a.whole("quantity"), "transfer", to));
    answer.set("to", stock.receive(a.text("sku"), to, a.whole("quantity"), "transfer", from));
    return answer;
  }

  private static JsonNode count(Book book, Arguments a) {
    ObjectNode stocktake = counting(book, a);
    String id = a.text("sku") + "@" + stocktake.path("warehouseCode").asString();
    int booked = book.table("stock").find(id).map(row -> row.path("onHand").intValue()).orElse(0);
    ObjectNode counts =
        stocktake.path("counts").isObject()
            ? (ObjectNode) stocktake.get("counts")
            : stocktake.putObject("counts");
    counts.put(a.text("sku"), a.whole("counted"));
    return JSON.createObjectNode()
        .put("sku", a.text("sku"))
        .put("booked", booked)
        .put("counted", a.whole("counted"))
        .put("difference", a.whole("counted") - booked);
  }

  private static JsonNode closeStocktake(Book book, Arguments a) {
    ObjectNode stocktake = counting(book, a);
    String warehouse = stocktake.path("warehouseCode").asString();
    Stock stock = new Stock(book);
    stocktake
        .path("counts")
        .properties()
        .forEach(
            count -> {
              int booked =
                  book.table("stock")
                      .find(count.getKey() + "@" + warehouse)
                      .map(row -> row.path("onHand").intValue())
                      .orElse(0);
              int difference = count.getValue().intValue() - booked;
              if (difference != 0) {
                stock.adjust(count.getKey(), warehouse, difference, a.text("stocktakeNo"));
              }
            });
    return stocktake.put("status", "closed");
  }

  private static ObjectNode counting(Book book, Arguments a) {
    ObjectNode stocktake = book.table("stocktake").get(a.text("stocktakeNo"));
    if (!stocktake.path("status").asString().equals("counting")) {
      throw ToolFailure.of("盘点单 %s 已关闭。", a.text("stocktakeNo"));
    }
    return stocktake;
  }
}
