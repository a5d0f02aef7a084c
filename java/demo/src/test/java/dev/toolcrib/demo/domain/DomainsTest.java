package dev.toolcrib.demo.domain;

import static dev.toolcrib.demo.domain.Company.CN;
import static dev.toolcrib.demo.domain.Company.EU;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.CallResult;
import dev.toolcrib.ToolPage;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DomainsTest {

  private final Company company = new Company();

  @AfterEach
  void close() {
    company.close();
  }

  @Test
  void everyToolIsPublished() {
    assertThat(company.reports()).allMatch(report -> report.quarantined().isEmpty());
    assertThat(company.tools()).hasSizeGreaterThanOrEqualTo(200);
  }

  @Test
  void everyToolIsDescribedAndClosedToOtherArguments() {
    for (ToolPage.Entry entry : company.tools()) {
      JsonNode schema = JsonMapper.shared().readTree(entry.inputSchema());
      assertThat(entry.tool().title()).as(entry.tool().name()).isNotBlank();
      assertThat(entry.tool().description()).as(entry.tool().name()).isNotBlank();
      assertThat(entry.tool().tags()).as(entry.tool().name()).hasSize(1);
      assertThat(schema.path("additionalProperties").asBoolean(true))
          .as(entry.tool().name())
          .isFalse();
      assertThat(entry.inputSchema()).as(entry.tool().name()).doesNotContain("!\":");
    }
  }

  @Test
  void everyReadingToolWithoutRequiredArgumentsAnswers() {
    List<ToolPage.Entry> tools =
        company.tools().stream()
            .filter(entry -> entry.tool().tags().contains("read"))
            .filter(entry -> !entry.inputSchema().contains("\"required\":"))
            .toList();
    assertThat(tools).hasSizeGreaterThan(40);
    for (ToolPage.Entry entry : tools) {
      for (var caller : List.of(CN, EU)) {
        assertThat(company.call(caller, entry.tool().name(), "{}"))
            .as(entry.tool().name())
            .isInstanceOf(CallResult.Completed.class);
      }
    }
  }

  @Test
  void anOrderGoesFromQuoteToPaidInvoice() {
    String quote =
        company
            .done(
                "quote_create",
                "{'customerId':'C-101','lines':[{'sku':'PMP-200','quantity':2}],'discountPercent':10}")
            .path("quoteNo")
            .asString();
    JsonNode order =
        company.done("quote_convert", "{'quoteNo':'%s','warehouseCode':'SZ'}".formatted(quote));
    String orderNo = order.path("orderNo").asString();
    assertThat(order.path("total").decimalValue()).isEqualByComparingTo("8640");
    company.done("order_confirm", "{'orderNo':'%s'}".formatted(orderNo));
    assertThat(available("PMP-200")).isEqualTo(62);
    String shipment =
        company
            .done("shipment_create", "{'orderNo':'%s','carrierCode':'BQW'}".formatted(orderNo))
            .path("shipmentNo")
            .asString();
    assertThat(available("PMP-200")).isEqualTo(62);
    company.done("shipment_deliver", "{'shipmentNo':'%s','signedBy':'孙立'}".formatted(shipment));
    JsonNode invoice =
        company.done("invoice_create_from_order", "{'orderNo':'%s'}".formatted(orderNo));
    assertThat(invoice.path("gross").decimalValue()).isEqualByComparingTo("9763.20");
    String invoiceNo = invoice.path("invoiceNo").asString();
    assertThat(
            company.failed(
                "payment_record",
                "{'invoiceNo':'%s','amount':1,'method':'card'}".formatted(invoiceNo)))
        .contains("draft");
    company.done("invoice_send", "{'invoiceNo':'%s'}".formatted(invoiceNo));
    company.done(
        "payment_record",
        "{'invoiceNo':'%s','amount':9763.2,'method':'bank_transfer'}".formatted(invoiceNo));
    assertThat(
            company
                .done("invoice_get", "{'invoiceNo':'%s'}".formatted(invoiceNo))
                .path("status")
                .asString())
        .isEqualTo("paid");
  }

  @Test
  void cancellingGivesReservedStockBack() {
    company.done("order_cancel", "{'orderNo':'SO-1002','reason':'credit'}");
    assertThat(available("VLV-050")).isEqualTo(310);
    assertThat(company.failed("order_cancel", "{'orderNo':'SO-1002','reason':'credit'}"))
        .contains("cancelled");
  }

  @Test
  void anOrderThatCannotBeDeliveredIsNotConfirmed() {
    String orderNo =
        company
            .done(
                "order_create",
                "{'customerId':'C-101','warehouseCode':'SZ','lines':[{'sku':'PMP-350','quantity':6},{'sku':'PMP-200','quantity':1}]}")
            .path("orderNo")
            .asString();
    assertThat(company.failed("order_confirm", "{'orderNo':'%s'}".formatted(orderNo)))
        .contains("PMP-350 需要 6，可用 5");
    assertThat(available("PMP-200")).as("nothing was reserved").isEqualTo(64);
  }

  @Test
  void returnedGoodsAreRefundedOnce() {
    company.done("return_approve", "{'returnNo':'RT-3001'}");
    assertThat(
            company
                .done("return_refund", "{'returnNo':'RT-3001','warehouseCode':'SZ'}")
                .path("refund")
                .decimalValue())
        .isEqualByComparingTo("4800");
    assertThat(available("PMP-200")).isEqualTo(65);
    assertThat(company.failed("return_refund", "{'returnNo':'RT-3001','warehouseCode':'SZ'}"))
        .contains("refunded");
  }

  @Test
  void tenantsShareNothing() {
    company.done("order_add_note", "{'orderNo':'SO-1001','note':'只在苏州可见'}");
    assertThat(company.call(EU, "order_get", "{\"orderNo\":\"SO-1001\"}").text())
        .contains("C-201")
        .doesNotContain("只在苏州可见");
    assertThat(company.call(EU, "customer_get", "{\"customerId\":\"C-101\"}"))
        .isInstanceOf(CallResult.Failed.class);
  }

  @Test
  void madeGoodsUseUpTheirParts() {
    company.done("work_order_start", "{'workOrderNo':'WO-2601','machineId':'M-02'}");
    company.done(
        "stock_transfer",
        "{'sku':'SEA-012','fromWarehouse':'FS','toWarehouse':'SZ','quantity':24}");
    company.done("work_order_complete", "{'workOrderNo':'WO-2601'}");
    assertThat(available("PMP-200")).isEqualTo(76);
    assertThat(available("MOT-750")).isEqualTo(78);
  }

  @Test
  void leaveIsCountedInWorkingDays() {
    LocalDate monday =
        LocalDate.now(ZoneId.systemDefault())
            .with(java.time.temporal.TemporalAdjusters.next(java.time.DayOfWeek.MONDAY));
    String leaveNo =
        company
            .done(
                "leave_apply",
                "{'employeeId':'E-501','kind':'annual','firstDay':'%s','lastDay':'%s'}"
                    .formatted(monday, monday.plusDays(6)))
            .path("leaveNo")
            .asString();
    company.done("leave_approve", "{'leaveNo':'%s'}".formatted(leaveNo));
    assertThat(company.done("leave_balance", "{'employeeId':'E-501'}").path("daysLeft").intValue())
        .isEqualTo(2);
    assertThat(
            company.failed(
                "leave_apply",
                "{'employeeId':'E-501','kind':'annual','firstDay':'%s','lastDay':'%s'}"
                    .formatted(monday, monday.plusDays(6))))
        .contains("只剩 2 天");
  }

  @Test
  void salariesAreShownOnThePayslipOnly() {
    assertThat(company.done("employee_get", "{'employeeId':'E-501'}").has("salary")).isFalse();
    assertThat(
            company
                .done("payslip_preview", "{'employeeId':'E-501','month':'2026-11'}")
                .path("salary")
                .intValue())
        .isEqualTo(16500);
  }

  @Test
  void theLedgerStaysBalanced() {
    assertThat(
            company.failed(
                "journal_post",
                "{'day':'2026-11-30','memo':'wages','entries':[{'accountCode':'6000','debit':10},{'accountCode':'1000','credit':9}]}"))
        .contains("equal");
    company.done(
        "journal_post",
        "{'day':'2026-11-30','memo':'wages','entries':[{'accountCode':'6000','debit':10},{'accountCode':'1000','credit':10}]}");
    assertThat(company.done("trial_balance", "{}").path("balanced").asBoolean()).isTrue();
    assertThat(
            company
                .done("account_balance", "{'accountCode':'6000'}")
                .path("balance")
                .decimalValue())
        .isEqualByComparingTo("10");
  }

  @Test
  void aRoomIsBookedOnce() {
    company.done(
        "room_book",
        "{'roomId':'R-101','day':'2027-01-04','start':'09:00','end':'10:00','title':'周会'}");
    assertThat(
            company.failed(
                "room_book",
                "{'roomId':'R-101','day':'2027-01-04','start':'09:30','end':'11:00','title':'评审'}"))
        .contains("taken from 09:00");
    assertThat(
            company
                .done(
                    "room_find_free",
                    "{'day':'2027-01-04','start':'09:30','end':'11:00','seats':10}")
                .findValuesAsString("roomId"))
        .containsExactly("R-201");
  }

  @Test
  void aReferenceToNothingIsSaidInTheLanguageOfTheTool() {
    assertThat(
            company.failed(
                "complaint_open", "{'customerId':'C-999','severity':'minor','description':'包装破损'}"))
        .contains("没有")
        .contains("C-999");
    assertThat(company.failed("customer_get", "{'customerId':'C-999'}"))
        .contains("There is no customer")
        .contains("C-999");
  }

  private int available(String sku) {
    return company
        .done("stock_get", "{'sku':'%s','warehouseCode':'SZ'}".formatted(sku))
        .path("available")
        .intValue();
  }
}
