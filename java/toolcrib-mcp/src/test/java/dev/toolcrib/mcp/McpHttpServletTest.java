package dev.toolcrib.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Sessions of clients and what stands around a message in HTTP. */
class McpHttpServletTest extends McpServerTest {

  @Test
  void a_session_does_not_exist_for_another_caller() throws Exception {
    HttpHost host = host();
    RawClient bob = new RawClient(host.url(), "acme/bob");
    bob.session = ann(host).session;
    assertThat(bob.send("tools/list", Map.of()).statusCode()).isEqualTo(404);
    bob.session = "nothing";
    assertThat(bob.send("tools/list", Map.of()).statusCode()).isEqualTo(404);
    bob.session = null;
    assertThat(bob.send("tools/list", Map.of()).statusCode()).isEqualTo(400);
  }

  @Test
  void one_caller_cannot_push_out_the_sessions_of_others() throws Exception {
    HttpHost host = host();
    RawClient bob = new RawClient(host.url(), "acme/bob").initialize();
    for (int i = 0; i < 120; i++) {
      ann(host);
    }
    assertThat(servlet.openSessions()).isEqualTo(101);
    assertThat(bob.toolNames()).isNotEmpty();
  }

  @Test
  void an_ended_session_is_gone() throws Exception {
    HttpHost host = host();
    RawClient ann = ann(host);
    HttpRequest end = ann.request().DELETE().build();
    assertThat(ann.http().send(end, HttpResponse.BodyHandlers.discarding()).statusCode())
        .isEqualTo(204);
    assertThat(ann.send("ping", Map.of()).statusCode()).isEqualTo(404);
    assertThat(servlet.openSessions()).isZero();
  }

  @Test
  void what_is_no_message_is_refused_in_the_form_of_json_rpc() throws Exception {
    RawClient ann = ann(host());
    for (String body :
        List.of("", "{", "[]", "7", "{}", "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"x\"}")) {
      HttpResponse<String> response = ann.post(body);
      assertThat(response.statusCode()).as(body).isEqualTo(400);
      assertThat(RawClient.JSON.readTree(response.body()).path("error").path("code").asInt())
          .isIn(-32700, -32600);
    }
    assertThat(ann.post("x".repeat(3 << 20)).statusCode()).isEqualTo(413);
    assertThat(ann.ask("no/such/method", Map.of()).path("error").path("code").asInt())
        .isEqualTo(-32601);
  }

  @Test
  void a_web_page_of_another_host_is_refused() throws Exception {
    RawClient ann = ann(host());
    HttpRequest.Builder request =
        ann.request()
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"));
    assertThat(status(ann, request.setHeader("Origin", "http://evil.example"))).isEqualTo(403);
    assertThat(status(ann, request.setHeader("Origin", "http://127.0.0.1:99"))).isEqualTo(200);
    assertThat(status(ann, request.setHeader("MCP-Protocol-Version", "1999-01-01"))).isEqualTo(400);
  }

  private static int status(RawClient client, HttpRequest.Builder request) throws Exception {
    return client.http().send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
  }
}
