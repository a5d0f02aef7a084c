package dev.toolcrib.benchmarks.data;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Invented business tools, described in English and Chinese, and questions for them. The same
 * number gives the same tools everywhere.
 */
final class SyntheticTools {

  private static final String[][] VERBS = {
    {"get", "Look up", "查询"},
    {"create", "Create", "新建"},
    {"update", "Change", "修改"},
    {"cancel", "Cancel", "取消"},
    {"export", "Export", "导出"},
    {"approve", "Approve", "审批"},
    {"assign", "Assign", "分配"},
    {"archive", "Archive", "归档"},
    {"compare", "Compare", "比较"},
    {"schedule", "Schedule", "安排"},
  };
  private static final String[][] OBJECTS = {
    {"order", "an order", "订单"},
    {"invoice", "an invoice", "发票"},
    {"shipment", "a shipment", "运单"},
    {"customer", "a customer", "客户"},
    {"supplier", "a supplier", "供应商"},
    {"contract", "a contract", "合同"},
    {"employee", "an employee", "员工"},
    {"payment", "a payment", "付款"},
    {"warehouse", "a warehouse", "仓库"},
    {"machine", "a machine", "设备"},
    {"campaign", "a campaign", "营销活动"},
    {"ticket", "a ticket", "工单"},
    {"budget", "a budget", "预算"},
    {"vehicle", "a vehicle", "车辆"},
    {"meeting", "a meeting", "会议"},
    {"inspection", "an inspection", "检验"},
  };
  private static final String[][] ASPECTS = {
    {"status", "its status and history", "状态和历史"},
    {"cost", "its cost in the currency of the branch", "以分公司货币计的成本"},
    {"owner", "who is responsible for it", "负责人"},
    {"deadline", "the date by which it has to be done", "截止日期"},
    {"document", "the documents that belong to it", "相关文件"},
    {"risk", "what may go wrong with it", "风险"},
    {"quota", "how much of it is still allowed", "剩余额度"},
    {"region", "the region where it applies", "适用地区"},
  };
  private static final int TOOLS_PER_SOURCE = 40;

  private SyntheticTools() {}

  static List<Tool> tools(int count) {
    List<Tool> tools = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      String[] verb = VERBS[i % VERBS.length];
      String[] object = OBJECTS[i / VERBS.length % OBJECTS.length];
      String[] aspect = ASPECTS[i / (VERBS.length * OBJECTS.length) % ASPECTS.length];
      int branch = i / (VERBS.length * OBJECTS.length * ASPECTS.length);
      String parameter = object[0] + "_id";
      tools.add(
          new Tool(
              "service-" + i / TOOLS_PER_SOURCE,
              object[1] + " " + object[2],
              verb[0] + "_" + object[0] + "_" + aspect[0] + "_" + branch,
              "%s %s of branch %d: %s. %s%s（%s，分公司 %d）"
                  .formatted(
                      verb[1], object[1], branch, aspect[1], verb[2], object[2], aspect[2], branch),
              schema(parameter, object[2], branch),
              parameter + " " + object[2] + "编号\nnote a remark"));
    }
    return List.copyOf(tools);
  }

  static List<String> questions(boolean chinese, int count) {
    SplittableRandom random = new SplittableRandom(20261130);
    List<String> questions = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      String[] verb = VERBS[random.nextInt(VERBS.length)];
      String[] object = OBJECTS[random.nextInt(OBJECTS.length)];
      String[] aspect = ASPECTS[random.nextInt(ASPECTS.length)];
      questions.add(
          chinese
              ? "请帮我%s%s的%s".formatted(verb[2], object[2], aspect[2])
              : "Please %s the %s of %s for me"
                  .formatted(verb[1].toLowerCase(Locale.ROOT), aspect[0], object[1]));
    }
    return List.copyOf(questions);
  }

  private static String schema(String parameter, String object, int branch) {
    return """
    {"type":"object","properties":{"%s":{"type":"string","description":"%s编号","minLength":1},\
    "branch":{"type":"integer","minimum":0,"maximum":%d},\
    "note":{"type":"string","description":"a remark"}},"required":["%s"],\
    "additionalProperties":false}\
    """
        .formatted(parameter, object, Math.max(1, branch), parameter);
  }
}
