package dev.toolcrib.demo.domain;

import dev.toolcrib.demo.records.Book;
import dev.toolcrib.demo.records.ToolFailure;
import java.time.LocalDate;
import java.time.ZoneId;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What every domain does with stock the same way; each change leaves a movement behind. */
record Stock(Book book) {

  int available(String sku, String warehouse) {
    return book.table("stock").find(id(sku, warehouse)).map(Stock::available).orElse(0);
  }

  static int available(ObjectNode row) {
    return row.path("onHand").intValue() - row.path("reserved").intValue();
  }

  ObjectNode receive(String sku, String warehouse, int quantity, String reason, String reference) {
    ObjectNode row = row(sku, warehouse);
    add(row, "onHand", quantity);
    return moved(row, quantity, reason, reference);
  }

  ObjectNode issue(String sku, String warehouse, int quantity, String reason, String reference) {
    requireAvailable(sku, warehouse, quantity);
    ObjectNode row = row(sku, warehouse);
    add(row, "onHand", -quantity);
    return moved(row, -quantity, reason, reference);
  }

  ObjectNode reserve(String sku, String warehouse, int quantity) {
    requireAvailable(sku, warehouse, quantity);
    ObjectNode row = row(sku, warehouse);
    add(row, "reserved", quantity);
    return row;
  }

  ObjectNode release(String sku, String warehouse, int quantity) {
    ObjectNode row = row(sku, warehouse);
    int reserved = row.path("reserved").intValue();
    if (quantity > reserved) {
      throw new ToolFailure(
          "%s 在 %s 只占用了 %s，不能释放 %s。",
          "Only %3$s of %1$s are reserved in %2$s, not %4$s.", sku, warehouse, reserved, quantity);
    }
    add(row, "reserved", -quantity);
    return row;
  }

  /** Sets the quantity on hand by a difference, whatever is available. */
  ObjectNode adjust(String sku, String warehouse, int delta, String note) {
    ObjectNode row = row(sku, warehouse);
    if (row.path("onHand").intValue() + delta < row.path("reserved").intValue()) {
      throw ToolFailure.of("调整后的现存量会低于已占用的 %d，请先释放占用。", row.path("reserved").intValue());
    }
    add(row, "onHand", delta);
    return moved(row, delta, "adjustment", note);
  }

  private void requireAvailable(String sku, String warehouse, int quantity) {
    int available = available(sku, warehouse);
    if (quantity > available) {
      throw new ToolFailure(
          "%s 在 %s 的可用量为 %s，不足 %s。",
          "Only %3$s of %1$s are available in %2$s, not %4$s.",
          sku,
          warehouse,
          available,
          quantity);
    }
  }

  private ObjectNode row(String sku, String warehouse) {
    return book.table("stock")
        .find(id(sku, warehouse))
        .orElseGet(
            () ->
                book.table("stock")
                    .add(
                        JsonMapper.shared()
                            .createObjectNode()
                            .put("stockId", id(sku, warehouse))
                            .put("sku", sku)
                            .put("warehouseCode", warehouse)
                            .put("onHand", 0)
                            .put("reserved", 0)));
  }

  private ObjectNode moved(ObjectNode row, int quantity, String reason, String reference) {
    JsonNode sku = row.get("sku");
    ObjectNode movement = JsonMapper.shared().createObjectNode();
    movement.set("sku", sku);
    movement.set("warehouseCode", row.get("warehouseCode"));
    movement
        .put("quantity", quantity)
        .put("reason", reason)
        .put("reference", reference)
        .put("createdOn", LocalDate.now(ZoneId.systemDefault()).toString());
    book.table("movement").add(movement);
    return row;
  }

  private static void add(ObjectNode row, String field, int quantity) {
    row.put(field, row.path(field).intValue() + quantity);
  }

  private static String id(String sku, String warehouse) {
    return sku + "@" + warehouse;
  }
}
