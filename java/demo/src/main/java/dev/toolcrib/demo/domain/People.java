package dev.toolcrib.demo.domain;

import dev.toolcrib.demo.records.Book;
import dev.toolcrib.demo.records.ToolFailure;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Those who work here 人事. */
final class People extends Domain {

  private static final List<String> PUBLIC_FIELDS =
      List.of("employeeId", "name", "department", "position", "managerId", "hiredOn");

  /** Working days of a month by which a salary is divided into days, and hours of a day. */
  private static final BigDecimal HOURS_OF_MONTH = new BigDecimal("174");

  People() {
    super("hr");
    on("employee_get", (book, a) -> shown(book.table("employee").get(a.text("employeeId"))));
    on(
        "employee_find",
        (book, a) ->
            found(book, row -> row.toString().contains(a.text("text")), a.whole("limit", 20)));
    on("org_chart", People::chart);
    on("leave_apply", People::apply);
    on("leave_approve", People::approve);
    on(
        "leave_balance",
        (book, a) ->
            JSON.createObjectNode()
                .put("employeeId", a.text("employeeId"))
                .put("daysLeft", daysLeft(book, a.text("employeeId"))));
    on("payslip_preview", People::payslip);
  }

  private static ObjectNode shown(ObjectNode employee) {
    return employee.deepCopy().retain(PUBLIC_FIELDS);
  }

  private static ArrayNode found(Book book, Predicate<ObjectNode> fits, int limit) {
    ArrayNode answer = JSON.createArrayNode();
    book.table("employee").rows().map(People::shown).filter(fits).limit(limit).forEach(answer::add);
    return answer;
  }

  private static JsonNode chart(Book book, Arguments a) {
    ObjectNode employee = book.table("employee").get(a.text("employeeId"));
    ObjectNode answer = JSON.createObjectNode();
    answer.set("employee", shown(employee));
    book.table("employee")
        .find(employee.path("managerId").asString(""))
        .ifPresent(manager -> answer.set("manager", shown(manager)));
    answer.set(
        "reports",
        found(book, row -> row.path("managerId").asString("").equals(a.text("employeeId")), 100));
    return answer;
  }

  private static JsonNode apply(Book book, Arguments a) {
    LocalDate first = a.date("firstDay");
    LocalDate last = a.date("lastDay");
    if (last.isBefore(first)) {
      throw ToolFailure.of("结束日期 %s 早于开始日期 %s。", last, first);
    }
    long days =
        first
            .datesUntil(last.plusDays(1))
            .filter(
                day ->
                    day.getDayOfWeek() != DayOfWeek.SATURDAY
                        && day.getDayOfWeek() != DayOfWeek.SUNDAY)
            .count();
    int left = daysLeft(book, a.text("employeeId"));
    if (a.text("kind").equals("annual") && days > left) {
      throw ToolFailure.of("申请 %d 个工作日，年假只剩 %d 天。", days, left);
    }
    return book.table("leave")
        .add(
            a.json()
                .deepCopy()
                .put("days", days)
                .put("status", "submitted")
                .put("createdOn", LocalDate.now(ZoneId.systemDefault()).toString()));
  }

  private static JsonNode approve(Book book, Arguments a) {
    ObjectNode leave = book.table("leave").get(a.text("leaveNo"));
    if (!leave.path("status").asString().equals("submitted")) {
      throw ToolFailure.of("请假单 %s 的状态是 %s。", a.text("leaveNo"), leave.path("status").asString());
    }
    if (leave.path("kind").asString().equals("annual")) {
      ObjectNode employee = book.table("employee").get(leave.path("employeeId").asString());
      employee.put(
          "leaveTaken", employee.path("leaveTaken").intValue() + leave.path("days").intValue());
    }
    return leave.put("status", "approved").put("approvedBy", a.caller().user());
  }

  private static JsonNode payslip(Book book, Arguments a) {
    ObjectNode employee = book.table("employee").get(a.text("employeeId"));
    BigDecimal salary = Money.of(employee, "salary");
    BigDecimal hourly = salary.divide(HOURS_OF_MONTH, 6, RoundingMode.HALF_UP);
    BigDecimal overtime = BigDecimal.ZERO;
    for (ObjectNode row :
        book.table("overtime")
            .rows(
                row ->
                    row.get("employeeId").equals(employee.get("employeeId"))
                        && row.path("day").asString().startsWith(a.text("month")))) {
      BigDecimal factor =
          switch (row.path("kind").asString()) {
            case "holiday" -> BigDecimal.valueOf(3);
            case "weekend" -> BigDecimal.valueOf(2);
            default -> new BigDecimal("1.5");
          };
      overtime = overtime.add(hourly.multiply(factor).multiply(Money.of(row, "hours")));
    }
    BigDecimal gross = Money.cents(salary.add(overtime));
    BigDecimal social = Money.percent(gross, new BigDecimal("10.5"));
    return JSON.createObjectNode()
        .put("employeeId", a.text("employeeId"))
        .put("month", a.text("month"))
        .put("salary", Money.cents(salary))
        .put("overtime", Money.cents(overtime))
        .put("gross", gross)
        .put("socialInsurance", social)
        .put("taxable", gross.subtract(social));
  }

  private static int daysLeft(Book book, String employee) {
    ObjectNode row = book.table("employee").get(employee);
    return row.path("annualLeave").intValue() - row.path("leaveTaken").intValue();
  }
}
