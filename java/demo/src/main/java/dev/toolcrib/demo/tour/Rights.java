package dev.toolcrib.demo.tour;

import dev.toolcrib.CallResult;
import dev.toolcrib.SessionState.Standing;
import dev.toolcrib.Target;
import dev.toolcrib.demo.access.DemoUser;
import dev.toolcrib.demo.access.Tenant;
import java.util.List;

/** What the caller may do is asked again at every step. */
final class Rights {

  private static final String ORDER =
      "{\"customerId\":\"C-103\",\"warehouseCode\":\"FS\",\"lines\":[{\"sku\":\"SEA-012\",\"quantity\":10}]%s}";

  private final Stage stage;
  private final Screen screen;
  private final Talk talk;

  Rights(Stage stage, Talk talk) {
    this.stage = stage;
    this.screen = stage.screen();
    this.talk = talk;
  }

  void limited() throws Exception {
    screen.section("额度", "A call above the caller's limit");
    screen.says("陈薇", "给佛山的经销部 C-103 再下 10 套 SEA-012，打七五折。");
    CallResult refused = talk.call("order_create", ORDER.formatted(",\"discountPercent\":25"));
    screen.check(
        refused instanceof CallResult.Refused,
        "valid arguments, an active tool, and still refused: 25 % is above her limit");
  }

  void withdrawn() throws Exception {
    screen.section("收权", "A right is withdrawn in the middle");
    screen.remark(
        "Stocktaking: the business configuration freezes \"orders\" for "
            + Tenant.CN.title()
            + ". The conversation goes on.");
    int before = stage.registry().list(DemoUser.CHEN_WEI.caller(), null, 1).total();
    List<String> active = talk.session().state().tools(Standing.ACTIVE);
    stage.configuration().freeze(Tenant.CN.id(), "orders");
    try {
      CallResult refused = talk.call("order_create", ORDER.formatted(""));
      screen.check(
          active.contains("order_create") && refused instanceof CallResult.NotFound,
          "order_create is active, and the very next call of it is refused");
      int after = stage.registry().list(DemoUser.CHEN_WEI.caller(), null, 1).total();
      screen.check(after < before, "her list shrank from %d to %d tools".formatted(before, after));
      screen.check(
          !talk.session().render(Target.ANTHROPIC_MESSAGES).toolNames().contains("order_create")
              && talk.session().state().tools(Standing.WITHHELD).contains("order_create"),
          "it is not declared any more, and reported as withheld");
      screen.check(
          talk.call("order_get", "{\"orderNo\":\"SO-1003\"}") instanceof CallResult.Completed,
          "reading orders is still allowed");
    } finally {
      stage.configuration().thaw(Tenant.CN.id(), "orders");
    }
    talk.session().refresh();
    screen.check(
        talk.session().state().tools(Standing.ACTIVE).equals(active),
        "thawed: everything is back, in its old order");
  }
}
