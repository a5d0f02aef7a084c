package dev.toolcrib.demo.tour;

import dev.toolcrib.demo.access.DemoUser;
import tools.jackson.databind.JsonNode;

/** Another tenant's user, over HTTP. */
final class OtherTenant {

  private final Stage stage;
  private final Screen screen;

  OtherTenant(Stage stage) {
    this.stage = stage;
    this.screen = stage.screen();
  }

  void overHttp() throws Exception {
    screen.section("别家公司", "Another tenant, over HTTP");
    JsonNode found =
        post(
            "/tools/search",
            """
            {"conversationId":"c-1","query":"overdue invoices and the days they are late","target":"anthropic_messages"}\
            """);
    JsonNode declared = found.path("declared");
    screen.says("", String.join(", ", found.path("hits").findValuesAsString("name")));
    screen.aside(
        "declared: %d tools, about %s tokens"
            .formatted(
                declared.path("toolNames").size(), declared.path("estimatedTokens").asString()));
    screen.check(
        declared.path("toolNames").toString().contains("\"invoice_find_overdue\""),
        "the search activates, and its answer brings the declarations for the next request");

    String overdue =
        text(
            """
            {"conversationId":"c-1","name":"invoice_find_overdue","arguments":{}}\
            """);
    screen.check(
        overdue.contains("INV-4002") && !overdue.contains("C-101"),
        "the tool that 陈薇 called shows Anna the invoices of her own company only");

    String secret = text("{\"name\":\"order_create\",\"arguments\":{}}");
    String unknown = text("{\"name\":\"order_kreate\",\"arguments\":{}}");
    screen.check(
        secret.replace("order_create", "X").equals(unknown.replace("order_kreate", "X")),
        "a tool that is not hers and one that does not exist: the same answer");
  }

  /** Calls a tool, and shows what the model would read. */
  private String text(String json) throws Exception {
    String text = post("/tools/call", json).path("text").asString();
    screen.says("", text);
    return text;
  }

  private JsonNode post(String path, String json) throws Exception {
    screen.says(DemoUser.ANNA.firstName(), "POST " + path + " " + json);
    Api.Answer answer = stage.api().post(DemoUser.ANNA, path, json);
    screen.aside("HTTP " + answer.status() + " " + answer.body().path("outcome").asString(""));
    return answer.body();
  }
}
