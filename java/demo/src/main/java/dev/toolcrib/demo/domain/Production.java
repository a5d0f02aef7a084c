package dev.toolcrib.demo.domain;

import dev.toolcrib.demo.records.Book;
import dev.toolcrib.demo.records.ToolFailure;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the company makes 生产. */
final class Production extends Domain {

  Production() {
    super("production");
    on("bom_get", (book, a) -> bom(book, a.text("sku")));
    on("bom_explode", Production::explode);
    on("work_order_complete", Production::complete);
    on("work_order_scrap", Production::scrap);
    on("capacity_plan", Production::capacity);
  }

  private static JsonNode explode(Book book, Arguments a) {
    ArrayNode answer = JSON.createArrayNode();
    Stock stock = new Stock(book);
    for (JsonNode part : bom(book, a.text("sku")).get("parts")) {
      String sku = part.path("part").asString();
      int needed = part.path("per").intValue() * a.whole("quantity");
      int available = stock.available(sku, a.text("warehouseCode"));
      answer
          .addObject()
          .put("part", sku)
          .put("needed", needed)
          .put("available", available)
          .put("missing", Math.max(0, needed - available));
    }
    return answer;
  }

  private static JsonNode complete(Book book, Arguments a) {
    ObjectNode workOrder = inProgress(book, a);
    String warehouse = workOrder.path("warehouseCode").asString();
    int quantity = workOrder.path("quantity").intValue();
    Stock stock = new Stock(book);
    JsonNode parts = bom(book, workOrder.path("sku").asString()).get("parts");
    for (JsonNode part : parts) {
      int needed = part.path("per").intValue() * quantity;
      int available = stock.available(part.path("part").asString(), warehouse);
      if (available < needed) {
        throw ToolFailure.of(
            "零件 %s 在 %s 仓只有 %d，完工需要 %d。",
            part.path("part").asString(), warehouse, available, needed);
      }
    }
    parts.forEach(
        part ->
            stock.issue(
                part.path("part").asString(),
                warehouse,
                part.path("per").intValue() * quantity,
                "production",
                a.text("workOrderNo")));
    stock.receive(
        workOrder.path("sku").asString(), warehouse, quantity, "production", a.text("workOrderNo"));
    return workOrder.put("status", "completed");
  }

  private static JsonNode scrap(Book book, Arguments a) {
    ObjectNode workOrder = inProgress(book, a);
    int left = workOrder.path("quantity").intValue() - a.whole("quantity");
    if (left < 0) {
      throw ToolFailure.of(
          "工单 %s 只剩 %d，不能报废 %d。",
          a.text("workOrderNo"), workOrder.path("quantity").intValue(), a.whole("quantity"));
    }
    ArrayNode scrapped =
        workOrder.path("scrapped").isArray()
            ? (ArrayNode) workOrder.get("scrapped")
            : workOrder.putArray("scrapped");
    scrapped.addObject().put("quantity", a.whole("quantity")).put("cause", a.text("cause"));
    return workOrder.put("quantity", left);
  }

  private static JsonNode capacity(Book book, Arguments a) {
    double hours = 0;
    for (ObjectNode workOrder :
        book.table("workOrder").rows(row -> !row.path("status").asString().equals("completed"))) {
      hours +=
          workOrder.path("quantity").intValue()
              * bom(book, workOrder.path("sku").asString()).path("hours").doubleValue();
    }
    int perDay =
        book.table("machine").rows(row -> row.path("status").asString().equals("running")).stream()
            .mapToInt(row -> row.path("hoursPerDay").intValue())
            .sum();
    ObjectNode answer = JSON.createObjectNode().put("openHours", hours).put("hoursPerDay", perDay);
    return perDay == 0
        ? answer.put("note", "没有正在运行的设备")
        : answer.put("days", Math.ceil(10 * hours / perDay) / 10);
  }

  private static ObjectNode bom(Book book, String sku) {
    List<ObjectNode> boms = book.table("bom").rows(row -> row.path("makes").asString().equals(sku));
    if (boms.isEmpty()) {
      throw ToolFailure.of("%s 是外购件，没有物料清单。", sku);
    }
    return boms.get(0);
  }

  private static ObjectNode inProgress(Book book, Arguments a) {
    ObjectNode workOrder = book.table("workOrder").get(a.text("workOrderNo"));
    if (!workOrder.path("status").asString().equals("in_progress")) {
      throw ToolFailure.of(
          "工单 %s 的状态是 %s，须先开工（work_order_start）。",
          a.text("workOrderNo"), workOrder.path("status").asString());
    }
    return workOrder;
  }
}
