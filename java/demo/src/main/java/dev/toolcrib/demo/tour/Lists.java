package dev.toolcrib.demo.tour;

import dev.toolcrib.SourceInfo;
import dev.toolcrib.demo.access.DemoUser;
import dev.toolcrib.demo.access.Role;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** What is registered, and that everybody has a list of their own. */
final class Lists {

  private final Stage stage;
  private final Screen screen;
  private final List<SourceInfo> ownSources;

  Lists(Stage stage, List<SourceInfo> ownSources) {
    this.stage = stage;
    this.screen = stage.screen();
    this.ownSources = ownSources;
  }

  void registered() {
    screen.section("登记", "Registered");
    List<List<String>> rows = new ArrayList<>();
    for (SourceInfo source : ownSources) {
      rows.add(List.of(source.name(), Figures.count(source.tools()), source.description()));
    }
    screen.table(List.of("source", "tools", ""), rows);
    int tools = ownSources.stream().mapToInt(SourceInfo::tools).sum();
    screen.check(
        tools >= 200 && ownSources.stream().allMatch(s -> s.quarantined().isEmpty()),
        "%s tools of %d domains are registered, none is quarantined"
            .formatted(Figures.count(tools), ownSources.size()));
  }

  void everybody() {
    screen.section("各看各的", "Each caller a list of their own");
    screen.remark(
        "rights = what the tenant has ∩ what the roles allow ∩ what the business has not switched"
            + " off");
    List<List<String>> rows = new ArrayList<>();
    Set<Integer> sizes = new HashSet<>();
    for (DemoUser user : DemoUser.ALL) {
      int total = stage.registry().list(user.caller(), null, 1).total();
      sizes.add(total);
      rows.add(
          List.of(
              user.login(),
              user.title(),
              user.tenant().title(),
              new TreeSet<>(user.roles())
                  .stream()
                      .map(r -> r.replace("ROLE_", "").toLowerCase(java.util.Locale.ROOT))
                      .collect(Collectors.joining(" + ")),
              Figures.count(total)));
    }
    screen.table(List.of("user", "name", "tenant", "roles", "authorized"), rows);
    screen.check(sizes.size() == DemoUser.ALL.size(), "five users, five different lists");
  }

  void overHttp() throws Exception {
    screen.line("");
    screen.line("POST /tools/list");
    Api.Answer nobody = stage.api().post(null, "/tools/list", "{}");
    screen.says("nobody", "HTTP " + nobody.status());
    screen.check(nobody.status() == 401, "without a login there is no list");
    Set<String> sales = listed(DemoUser.CHEN_WEI);
    Set<String> finance = listed(DemoUser.ANNA);
    screen.check(
        sales.contains("order_create") && !finance.contains("order_create"),
        "陈薇 may place orders; Anna does not even see that one can");
    screen.check(
        finance.contains("journal_post") && !sales.contains("journal_post"),
        "Anna may post to the ledger; 陈薇 does not see it");
    screen.check(
        finance.contains("order_get") && !finance.contains("order_cancel"),
        "Anna's role reads orders and changes none");
  }

  private Set<String> listed(DemoUser user) throws Exception {
    Set<String> names = new TreeSet<>();
    String cursor = null;
    int pages = 0;
    do {
      String request =
          cursor == null ? "{\"limit\":50}" : "{\"limit\":50,\"cursor\":\"" + cursor + "\"}";
      Api.Answer page = stage.api().post(user, "/tools/list", request);
      for (JsonNode tool : page.body().path("tools")) {
        if (!tool.path("tags").toString().contains(Role.EXTERNAL_TAG)) {
          names.add(tool.path("name").asString());
        }
      }
      cursor = page.body().path("nextCursor").asString(null);
      pages++;
    } while (cursor != null);
    screen.says(
        user.firstName(),
        "%d tools on %d pages: %s …"
            .formatted(
                names.size(), pages, names.stream().limit(5).collect(Collectors.joining(", "))));
    return names;
  }
}
