package dev.toolcrib.demo.tour;

import dev.toolcrib.ScriptOptions;
import dev.toolcrib.ScriptResult;
import dev.toolcrib.ToolSession;
import dev.toolcrib.demo.access.DemoUser;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The model writes a program in place of ten turns. */
final class Scripts {

  private static final String FIND =
      """
      const [found] = await searchTools("list unpaid invoices past their due date", {limit: 1});
      return await describeTool(found.name);
      """;

  private static final String JOIN =
      """
      const [orders, overdue] = await Promise.all([
        tools.order_find({status: ["draft", "confirmed"]}),
        tools.invoice_find_overdue({})]);
      const owing = new Map(overdue.structuredContent.map(i => [i.customerId, i]));
      return orders.structuredContent.items
        .filter(o => owing.has(o.customerId))
        .map(o => `${o.orderNo} of ${o.customerId}: ${owing.get(o.customerId).invoiceNo} is ` +
          `${owing.get(o.customerId).daysOverdue} days overdue`);
      """;

  private static final String FROZEN =
      """
      const seen = [];
      for (const call of [() => tools.order_get({orderNo: "SO-1003"}),
                          () => tools.order_cancel({orderNo: "SO-1003", reason: "test"})])
        try { await call(); seen.push("called") } catch (e) { seen.push(e.message) }
      return seen;
      """;

  private final Stage stage;
  private final Screen screen;

  Scripts(Stage stage) {
    this.stage = stage;
    this.screen = stage.screen();
  }

  void play() throws Exception {
    screen.section("脚本", "A program in place of ten turns");
    screen.remark(
        "Scripts run in a sandbox of this process. They reach the caller's tools and nothing else;"
            + " each call is validated and authorized like one of the model.");
    try (ToolSession session = stage.registry().session(DemoUser.CHEN_WEI.caller()).open()) {
      ScriptResult found = run(session, FIND);
      screen.check(
          found.completed() && found.output().contains("declare function invoice_find_overdue("),
          "the script found a tool and returned its declaration; no tool was declared for it");
      screen.says("陈薇", "哪些在途订单的客户还欠着逾期款？");
      ScriptResult joined = run(session, JOIN);
      screen.check(
          joined.completed() && joined.output().contains("INV-4001") && joined.calls().size() == 2,
          "two sources were joined in the script; %s went to the model"
              .formatted(Figures.bytes(joined.text().length())));
      stage.configuration().freeze(session.caller().tenant(), "orders");
      try {
        ScriptResult frozen = run(session, FROZEN);
        screen.check(
            frozen.completed()
                && frozen.calls().size() == 1
                && frozen.output().contains("no tool named"),
            "while \"orders\" is frozen a script reads orders and cannot cancel one");
      } finally {
        stage.configuration().thaw(session.caller().tenant(), "orders");
      }
    }
  }

  private ScriptResult run(ToolSession session, String code) throws Exception {
    screen.says("model", code.strip());
    long start = System.nanoTime();
    ScriptResult result =
        session
            .runScript(code, ScriptOptions.defaults())
            .toCompletableFuture()
            .get(30, TimeUnit.SECONDS);
    Duration took = Figures.since(start);
    screen.says("tool", result.text(), result.completed() ? Screen.Ink.GREEN : Screen.Ink.YELLOW);
    screen.aside(
        "%s calls, %s, of which %s in the engine"
            .formatted(result.calls().size(), Figures.time(took), Figures.time(result.ran())));
    return result;
  }
}
