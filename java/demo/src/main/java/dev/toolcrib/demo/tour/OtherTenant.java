package dev.toolcrib.demo.tour;

import dev.toolcrib.demo.access.DemoUser;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
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
    Api.Answer found =
        post(
            "/tools/search",
            "{\"conversationId\":\"c-1\",\"query\":\"which customers are late with"
                + " paying\",\"target\":\"anthropic_messages\"}");
    String hits =
        StreamSupport.stream(found.body().path("hits").spliterator(), false)
            .map(hit -> hit.path("name").asString())
            .collect(Collectors.joining(", "));
    screen.says("", hits);
    screen.remark(
        "        declared: %s tools, about %s tokens"
            .formatted(
                found.body().path("declared").path("toolNames").size(),
                found.body().path("declared").path("estimatedTokens").asString()));
    screen.check(
        hits.contains("invoice_"),
        "the search activates, and the answer brings the declarations for the next request");

    JsonNode overdue =
        post(
                "/tools/call",
                "{\"conversationId\":\"c-1\",\"name\":\"invoice_find_overdue\",\"arguments\":{}}")
            .body();
    if (!hits.contains("invoice_find_overdue")) {
      overdue = post("/tools/call", "{\"name\":\"invoice_find_overdue\",\"arguments\":{}}").body();
    }
    screen.says("", overdue.path("text").asString());
    screen.check(
        overdue.path("text").asString().contains("INV-4002")
            && !overdue.path("text").asString().contains("C-101"),
        "the same tool shows her the invoices of her own company only");

    String secret =
        post("/tools/call", "{\"name\":\"order_create\",\"arguments\":{}}")
            .body()
            .path("text")
            .asString();
    String unknown =
        post("/tools/call", "{\"name\":\"order_kreate\",\"arguments\":{}}")
            .body()
            .path("text")
            .asString();
    screen.says("", secret);
    screen.says("", unknown);
    screen.check(
        secret.replace("order_create", "X").equals(unknown.replace("order_kreate", "X")),
        "a tool that is not hers and one that does not exist: the same answer");
  }

  private Api.Answer post(String path, String json) throws Exception {
    screen.says("Anna", "POST " + path + " " + json);
    Api.Answer answer = stage.api().post(DemoUser.ANNA, path, json);
    screen.remark(
        "        HTTP " + answer.status() + " " + answer.body().path("outcome").asString(""));
    return answer;
  }
}
