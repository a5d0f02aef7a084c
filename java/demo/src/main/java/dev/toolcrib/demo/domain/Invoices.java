package dev.toolcrib.demo.domain;

import dev.toolcrib.demo.records.Book;
import dev.toolcrib.demo.records.ToolFailure;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What customers owe. */
final class Invoices extends Domain {

  /** Value-added tax in percent, by country. */
  private static final Map<String, BigDecimal> GOODS =
      Map.of(
          "CN",
          new BigDecimal(13),
          "NL",
          new BigDecimal(21),
          "DE",
          new BigDecimal(19),
          "FR",
          new BigDecimal(20),
          "BE",
          new BigDecimal(21));

  private static final List<String> BUCKETS = List.of("notDue", "1-30", "31-60", "61-90", "over90");

  Invoices() {
    super("invoices");
    on("invoice_create_from_order", Invoices::fromOrder);
    on("invoice_void", Invoices::annul);
    on("invoice_find_overdue", Invoices::overdue);
    on("invoice_aging", Invoices::aging);
    on("invoice_remind", Invoices::remind);
    on("payment_record", Invoices::pay);
    on("credit_note_create", Invoices::credit);
    on("tax_calculate", Invoices::tax);
  }

  private static JsonNode fromOrder(Book book, Arguments a) {
    ObjectNode order = book.table("order").get(a.text("orderNo"));
    if (!order.path("status").asString().matches("shipped|delivered")) {
      throw ToolFailure.of(
          "Order %s is %s; only what was shipped is invoiced.",
          a.text("orderNo"), order.path("status").asString());
    }
    book
        .table("invoice")
        .rows(
            row ->
                order.get("orderNo").equals(row.get("orderNo"))
                    && !row.path("status").asString().equals("void"))
        .stream()
        .findFirst()
        .ifPresent(
            row -> {
              throw ToolFailure.of(
                  "Order %s is on invoice %s already.",
                  a.text("orderNo"), row.path("invoiceNo").asString());
            });
    String country =
        book.table("customer").get(order.path("customerId").asString()).path("country").asString();
    BigDecimal net = Money.of(order, "total");
    BigDecimal tax = Money.percent(net, GOODS.getOrDefault(country, BigDecimal.ZERO));
    ObjectNode invoice = JSON.createObjectNode();
    invoice.set("orderNo", order.get("orderNo"));
    invoice.set("customerId", order.get("customerId"));
    invoice
        .put("net", net)
        .put("tax", tax)
        .put("gross", net.add(tax))
        .put("paid", 0)
        .put("currency", country.equals("CN") ? "CNY" : "EUR")
        .put("status", "draft")
        .put("issuedOn", LocalDate.now(ZoneId.systemDefault()).toString())
        .put(
            "dueOn",
            LocalDate.now(ZoneId.systemDefault()).plusDays(a.whole("termDays", 30)).toString());
    return book.table("invoice").add(invoice);
  }

  private static JsonNode annul(Book book, Arguments a) {
    ObjectNode invoice = book.table("invoice").get(a.text("invoiceNo"));
    if (Money.of(invoice, "paid").signum() > 0) {
      throw ToolFailure.of("%s was paid in part; use credit_note_create.", a.text("invoiceNo"));
    }
    return invoice.put("status", "void").put("note", a.text("note"));
  }

  private static JsonNode overdue(Book book, Arguments a) {
    ArrayNode answer = JSON.createArrayNode();
    open(book, a)
        .filter(row -> daysLate(row) >= a.whole("minDays", 1))
        .sorted(Comparator.comparing((ObjectNode row) -> row.path("dueOn").asString()))
        .forEach(
            row ->
                answer
                    .addObject()
                    .put("invoiceNo", row.path("invoiceNo").asString())
                    .put("customerId", row.path("customerId").asString())
                    .put("dueOn", row.path("dueOn").asString())
                    .put("daysOverdue", daysLate(row))
                    .put("open", left(row))
                    .put("currency", row.path("currency").asString()));
    return answer;
  }

  private static JsonNode aging(Book book, Arguments a) {
    ObjectNode answer = JSON.createObjectNode();
    BUCKETS.forEach(bucket -> answer.put(bucket, BigDecimal.ZERO));
    open(book, a)
        .forEach(
            row -> {
              long late = daysLate(row);
              String bucket = BUCKETS.get(late <= 0 ? 0 : (int) Math.min(4, 1 + (late - 1) / 30));
              answer.put(bucket, Money.of(answer, bucket).add(left(row)));
            });
    return answer;
  }

  private static JsonNode remind(Book book, Arguments a) {
    ObjectNode invoice = book.table("invoice").get(a.text("invoiceNo"));
    if (!invoice.path("status").asString().equals("sent") || daysLate(invoice) <= 0) {
      throw ToolFailure.of("%s is not overdue.", a.text("invoiceNo"));
    }
    int level = Math.min(3, invoice.path("reminders").intValue(0) + 1);
    invoice
        .put("reminders", level)
        .put("remindedOn", LocalDate.now(ZoneId.systemDefault()).toString());
    return JSON.createObjectNode()
        .put("invoiceNo", a.text("invoiceNo"))
        .put("level", level)
        .put("open", left(invoice));
  }

  private static JsonNode pay(Book book, Arguments a) {
    ObjectNode invoice = book.table("invoice").get(a.text("invoiceNo"));
    BigDecimal open = left(invoice);
    if (!invoice.path("status").asString().equals("sent")
        || a.decimal("amount").compareTo(open) > 0) {
      throw ToolFailure.of(
          "%s is %s with %s open; %s cannot be booked on it.",
          a.text("invoiceNo"), invoice.path("status").asString(), open, a.decimal("amount"));
    }
    ObjectNode payment =
        a.json()
            .deepCopy()
            .put(
                "receivedOn",
                a.text("receivedOn", LocalDate.now(ZoneId.systemDefault()).toString()));
    invoice.put("paid", Money.of(invoice, "paid").add(a.decimal("amount")));
    if (left(invoice).signum() == 0) {
      invoice.put("status", "paid");
    }
    return book.table("payment").add(payment).put("stillOpen", left(invoice));
  }

  private static JsonNode credit(Book book, Arguments a) {
    ObjectNode invoice = book.table("invoice").get(a.text("invoiceNo"));
    if (a.decimal("amount").compareTo(Money.of(invoice, "gross")) > 0) {
      throw ToolFailure.of("%s is over %s only.", a.text("invoiceNo"), Money.of(invoice, "gross"));
    }
    ObjectNode note =
        a.json().deepCopy().put("createdOn", LocalDate.now(ZoneId.systemDefault()).toString());
    note.set("customerId", invoice.get("customerId"));
    return book.table("creditNote").add(note);
  }

  private static JsonNode tax(Book book, Arguments a) {
    boolean chineseService =
        a.text("country").equals("CN") && a.text("kind", "goods").equals("service");
    BigDecimal percent =
        chineseService ? new BigDecimal(6) : GOODS.getOrDefault(a.text("country"), BigDecimal.ZERO);
    BigDecimal tax = Money.percent(a.decimal("net"), percent);
    return JSON.createObjectNode()
        .put("percent", percent)
        .put("tax", tax)
        .put("gross", Money.cents(a.decimal("net").add(tax)));
  }

  private static Stream<ObjectNode> open(Book book, Arguments a) {
    return book
        .table("invoice")
        .rows(
            row ->
                row.path("status").asString().equals("sent")
                    && (!a.has("customerId")
                        || row.get("customerId").equals(a.json().get("customerId"))))
        .stream();
  }

  static BigDecimal left(ObjectNode invoice) {
    return Money.cents(Money.of(invoice, "gross").subtract(Money.of(invoice, "paid")));
  }

  private static long daysLate(ObjectNode invoice) {
    return ChronoUnit.DAYS.between(
        LocalDate.parse(invoice.path("dueOn").asString()), LocalDate.now(ZoneId.systemDefault()));
  }
}
