package dev.toolcrib.demo.tour;

import dev.toolcrib.CallResult;
import dev.toolcrib.RenderedTools;
import dev.toolcrib.SearchOutcome;
import dev.toolcrib.SessionState.Standing;
import dev.toolcrib.Target;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSession;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A conversation of a saleswoman, from the first question to a second node. */
final class Conversation {

  private static final Pattern ORDER = Pattern.compile("SO-\\d{4}");

  private final Screen screen;
  private final Talk talk;
  private final ToolRegistry otherNode;
  private String order = "";

  Conversation(Stage stage, Talk talk, ToolRegistry otherNode) {
    this.screen = stage.screen();
    this.talk = talk;
    this.otherNode = otherNode;
  }

  void start() {
    screen.section("从一个工具开始", "It starts with one tool");
    screen.remark("陈薇 opens a conversation. The model is given tool_search and nothing else.");
    RenderedTools tools = talk.render();
    screen.check(tools.toolNames().equals(List.of("tool_search")), "only tool_search is declared");
  }

  void askInChinese() throws Exception {
    screen.section("中文提问", "A question in Chinese");
    screen.says("陈薇", "华东泵业（C-101）想再订 20 台 PMP-200，苏州仓有货吗？有货就下单。");
    SearchOutcome stock = talk.search("查询物料现存量 可用库存", "turn-1");
    expect(stock, "stock_get");
    SearchOutcome create = talk.search("为客户创建销售订单", "turn-1");
    expect(create, "order_create");
    talk.renderGrown();
    CallResult result = talk.call("stock_get", "{\"sku\":\"PMP-200\",\"warehouseCode\":\"SZ\"}");
    screen.check(
        result instanceof CallResult.Completed && result.text().contains("\"available\":64"),
        "64 are available");
  }

  void mend() throws Exception {
    screen.section("改错", "A call the model gets wrong, and mends");
    CallResult wrong =
        talk.call(
            "order_create",
            "{\"customerId\":\"华东泵业\",\"warehouseCode\":\"苏州\",\"lines\":[{\"sku\":\"PMP-200\",\"quantity\":\"20\"}],\"prio\":\"high\"}");
    screen.check(
        wrong instanceof CallResult.InvalidArguments invalid && invalid.problems().size() >= 4,
        "nothing was executed; the model reads where it went wrong and what is allowed");
    CallResult right =
        talk.call(
            "order_create",
            "{\"customerId\":\"C-101\",\"warehouseCode\":\"SZ\",\"lines\":[{\"sku\":\"PMP-200\",\"quantity\":20}],\"priority\":\"urgent\"}");
    Matcher created = ORDER.matcher(right.text());
    order = created.find() ? created.group() : "";
    screen.check(
        right instanceof CallResult.Completed && right.text().contains("\"total\":96000"),
        "the order %s stands at 20 × 4,800 = 96,000".formatted(order));
    expect(talk.search("确认订单 占用库存", "turn-2"), "order_confirm");
    talk.call("order_confirm", "{\"orderNo\":\"%s\"}".formatted(order));
    CallResult after = talk.call("stock_get", "{\"sku\":\"PMP-200\",\"warehouseCode\":\"SZ\"}");
    screen.check(after.text().contains("\"available\":44"), "20 are reserved now: 44 are left");
  }

  void askInEnglish() throws Exception {
    screen.section("换成英文", "The same conversation, in English");
    screen.says("陈薇", "Before we ship: do they still owe us anything that is past due?");
    expect(talk.search("unpaid invoices past their due date", "turn-3"), "invoice_find_overdue");
    talk.renderGrown();
    CallResult overdue = talk.call("invoice_find_overdue", "{\"customerId\":\"C-101\"}");
    screen.check(
        overdue.text().contains("INV-4001") && overdue.text().contains("\"daysOverdue\":6"),
        "one invoice, six days overdue");
  }

  void rewind() {
    screen.section("回到从前", "Back to an earlier turn, and on to another node");
    List<String> before = talk.session().state().tools(Standing.ACTIVE);
    String declared = talk.session().render(Target.ANTHROPIC_MESSAGES).json();
    byte[] stored = talk.session().snapshot();
    try (ToolSession restored = otherNode.session(talk.session().caller()).restore(stored)) {
      screen.says(
          "node 2",
          "restored %d active tools from %s"
              .formatted(
                  restored.state().tools(Standing.ACTIVE).size(), Figures.bytes(stored.length)));
      screen.check(
          restored.render(Target.ANTHROPIC_MESSAGES).json().equals(declared),
          "another node declares the same tools, byte for byte");
    }
    talk.session().rewindTo("turn-2");
    List<String> active = talk.session().state().tools(Standing.ACTIVE);
    screen.says("陈薇", "(edits her question of turn 3)");
    screen.aside(
        "rewound to turn-2: %d active tools, before %d".formatted(active.size(), before.size()));
    screen.check(
        active.size() < before.size()
            && before.subList(0, active.size()).equals(active)
            && !active.contains("invoice_find_overdue"),
        "what turn 3 activated is gone, what came before is as it was");
  }

  private void expect(SearchOutcome outcome, String tool) {
    screen.check(
        outcome.hits().stream().anyMatch(hit -> hit.tool().name().equals(tool)),
        tool + " is among the tools found");
  }
}
