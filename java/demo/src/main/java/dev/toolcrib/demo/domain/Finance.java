package dev.toolcrib.demo.domain;

import dev.toolcrib.demo.records.Book;
import dev.toolcrib.demo.records.ToolFailure;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The company's money. */
final class Finance extends Domain {

  Finance() {
    super("finance");
    on(
        "account_balance",
        (book, a) ->
            JSON.createObjectNode()
                .put("accountCode", a.text("accountCode"))
                .put("balance", balance(book, a.text("accountCode"), a.text("asOf", "9999"))));
    on("trial_balance", Finance::trial);
    on("journal_post", Finance::post);
    on("journal_reverse", Finance::reverse);
    on("expense_reimburse", Finance::reimburse);
    on("budget_status", Finance::budget);
    on(
        "exchange_rate_get",
        (book, a) ->
            JSON.createObjectNode()
                .put("from", a.text("from"))
                .put("to", a.text("to"))
                .put("rate", rate(book, a.text("from"), a.text("to"))));
    on(
        "currency_convert",
        (book, a) ->
            JSON.createObjectNode()
                .put(
                    "amount",
                    Money.cents(
                        a.decimal("amount").multiply(rate(book, a.text("from"), a.text("to")))))
                .put("currency", a.text("to")));
    on("cash_forecast", Finance::cash);
  }

  private static Stream<JsonNode> entries(Book book, String until) {
    return book
        .table("journal")
        .rows(row -> row.path("day").asString().compareTo(until) <= 0)
        .stream()
        .flatMap(row -> StreamSupport.stream(row.get("entries").spliterator(), false));
  }

  private static BigDecimal balance(Book book, String account, String until) {
    return Money.sum(
        entries(book, until)
            .filter(e -> e.path("accountCode").asString().equals(account))
            .map(e -> Money.of(e, "debit").subtract(Money.of(e, "credit"))));
  }

  private static JsonNode trial(Book book, Arguments a) {
    String until = a.text("asOf", "9999");
    ObjectNode answer = JSON.createObjectNode();
    ArrayNode accounts = answer.putArray("accounts");
    book.table("account")
        .rows()
        .forEach(
            account -> {
              BigDecimal balance = balance(book, account.path("accountCode").asString(), until);
              if (balance.signum() != 0) {
                accounts
                    .addObject()
                    .put("accountCode", account.path("accountCode").asString())
                    .put("name", account.path("name").asString())
                    .put(balance.signum() > 0 ? "debit" : "credit", balance.abs());
              }
            });
    BigDecimal difference =
        Money.sum(
            entries(book, until).map(e -> Money.of(e, "debit").subtract(Money.of(e, "credit"))));
    return answer.put("balanced", difference.signum() == 0);
  }

  private static JsonNode post(Book book, Arguments a) {
    BigDecimal debit =
        Money.sum(
            StreamSupport.stream(a.list("entries").spliterator(), false)
                .map(e -> Money.of(e, "debit")));
    BigDecimal credit =
        Money.sum(
            StreamSupport.stream(a.list("entries").spliterator(), false)
                .map(e -> Money.of(e, "credit")));
    if (debit.compareTo(credit) != 0 || debit.signum() == 0) {
      throw ToolFailure.of(
          "Debits are %s and credits %s; they must be equal and not zero.", debit, credit);
    }
    return book.table("journal")
        .add(a.json().deepCopy().put("status", "posted").put("createdBy", a.caller().user()));
  }

  private static JsonNode reverse(Book book, Arguments a) {
    ObjectNode journal = book.table("journal").get(a.text("journalNo"));
    if (journal.path("status").asString().equals("reversed")) {
      throw ToolFailure.of("%s was reversed before.", a.text("journalNo"));
    }
    ObjectNode opposite =
        JSON.createObjectNode()
            .put("day", LocalDate.now(ZoneId.systemDefault()).toString())
            .put("memo", "Reversal of " + a.text("journalNo"))
            .put("status", "posted");
    ArrayNode entries = opposite.putArray("entries");
    journal
        .get("entries")
        .forEach(
            e ->
                entries
                    .addObject()
                    .put("accountCode", e.path("accountCode").asString())
                    .put("debit", Money.of(e, "credit"))
                    .put("credit", Money.of(e, "debit")));
    journal.put("status", "reversed");
    return book.table("journal").add(opposite);
  }

  private static JsonNode reimburse(Book book, Arguments a) {
    ObjectNode expense = book.table("expense").get(a.text("expenseNo"));
    if (!expense.path("status").asString().equals("approved")) {
      throw ToolFailure.of(
          "%s is %s; approve it first.", a.text("expenseNo"), expense.path("status").asString());
    }
    ObjectNode journal =
        JSON.createObjectNode()
            .put("day", LocalDate.now(ZoneId.systemDefault()).toString())
            .put("memo", a.text("expenseNo"))
            .put("status", "posted");
    ArrayNode entries = journal.putArray("entries");
    entries
        .addObject()
        .put("accountCode", "6300")
        .put("debit", Money.of(expense, "amount"))
        .put("credit", BigDecimal.ZERO);
    entries
        .addObject()
        .put("accountCode", "1000")
        .put("debit", BigDecimal.ZERO)
        .put("credit", Money.of(expense, "amount"));
    expense.set("journalNo", book.table("journal").add(journal).get("journalNo"));
    return expense.put("status", "reimbursed");
  }

  private static JsonNode budget(Book book, Arguments a) {
    BigDecimal planned = Money.of(book.table("budget").get("B-" + a.text("department")), "planned");
    BigDecimal spent =
        Money.sum(
            book
                .table("expense")
                .rows(
                    row ->
                        row.path("department").asString("").equals(a.text("department"))
                            && row.path("status").asString().matches("approved|reimbursed"))
                .stream()
                .map(row -> Money.of(row, "amount")));
    return JSON.createObjectNode()
        .put("department", a.text("department"))
        .put("planned", planned)
        .put("spent", spent)
        .put("remaining", planned.subtract(spent));
  }

  private static BigDecimal rate(Book book, String from, String to) {
    if (from.equals(to)) {
      return BigDecimal.ONE;
    }
    return book.table("rate")
        .find(from + to)
        .map(row -> Money.of(row, "rate"))
        .orElseGet(
            () ->
                BigDecimal.ONE.divide(
                    Money.of(book.table("rate").get(to + from), "rate"), 6, RoundingMode.HALF_UP));
  }

  private static JsonNode cash(Book book, Arguments a) {
    String until = LocalDate.now(ZoneId.systemDefault()).plusDays(a.whole("days")).toString();
    BigDecimal bank = balance(book, "1000", "9999");
    BigDecimal in =
        Money.sum(
            book
                .table("invoice")
                .rows(
                    row ->
                        row.path("status").asString().equals("sent")
                            && row.path("dueOn").asString().compareTo(until) <= 0)
                .stream()
                .map(Invoices::left));
    BigDecimal out =
        Money.sum(
            book
                .table("purchaseOrder")
                .rows(
                    row ->
                        row.path("status").asString().equals("approved")
                            && row.path("dueOn").asString().compareTo(until) <= 0)
                .stream()
                .map(row -> Money.of(row, "total")));
    return JSON.createObjectNode()
        .put("until", until)
        .put("bank", bank)
        .put("receivables", in)
        .put("payables", out)
        .put("expected", bank.add(in).subtract(out));
  }
}
