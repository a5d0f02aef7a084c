package dev.toolcrib.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Whatever a client sends, the endpoint answers as HTTP and JSON-RPC want it, and tells nothing of
 * its insides. {@code -Dmcp.seed} repeats a run, {@code -Dmcp.rounds} makes it longer.
 */
class RandomRequestsTest extends McpServerTest {

  private static final List<String> METHODS =
      List.of(
          "initialize",
          "ping",
          "tools/list",
          "tools/call",
          "notifications/cancelled",
          "notifications/initialized",
          "resources/list",
          "logging/setLevel",
          "",
          "x");
  private static final Map<String, List<?>> PARAMETERS = new LinkedHashMap<>();

  static {
    PARAMETERS.put(
        "name",
        List.of(
            "tool_search",
            "describe_tool",
            "call_tool",
            "codemode",
            "open_ticket",
            "mcp__weather__forecast",
            "functions.call_tool",
            "nothing"));
    PARAMETERS.put(
        "arguments",
        List.of(
            Map.of(),
            Map.of("query", "weather"),
            Map.of("city", "Ulm"),
            Map.of("code", "return 1 +"),
            Map.of("name", "codemode", "arguments", Map.of("code", "return 1")),
            Map.of("name", "mcp__weather__history", "arguments", Map.of("city", "Ulm"))));
    PARAMETERS.put("_meta", List.of(Map.of("progressToken", "p"), Map.of("progressToken", 1)));
    PARAMETERS.put("cursor", List.of("MA", "MDp4", "x!"));
    PARAMETERS.put("protocolVersion", List.of("2025-11-25", "1999-01-01"));
    PARAMETERS.put("requestId", List.of(1, "r"));
  }

  private final long seed = Long.getLong("mcp.seed", ThreadLocalRandom.current().nextLong());
  private final int rounds = Integer.getInteger("mcp.rounds", 500);

  @ParameterizedTest
  @ValueSource(strings = {"stateless", "stateful", "session mode"})
  void whatever_is_sent_the_answer_is_valid(String mode) throws Exception {
    System.out.println("requests: " + mode + ", seed " + seed);
    McpServerOptions options =
        McpServerOptions.defaults().withCodemode(true).withSessionMode(mode.equals("session mode"));
    HttpHost host =
        host(McpToolServer.of(registry, HttpHost.callers(), options), mode.equals("stateless"));
    RawClient ann = ann(host);
    for (int round = 0; round < rounds; round++) {
      RandomJson random = new RandomJson(new Random(seed + round));
      byte[] body = body(random);
      HttpRequest request = request(random, ann, body);
      HttpResponse<byte[]> response =
          ann.http().send(request, HttpResponse.BodyHandlers.ofByteArray());
      String answer = new String(response.body(), StandardCharsets.UTF_8);
      String what =
          "seed %d: %s %s -> %d %s"
              .formatted(
                  seed + round,
                  request,
                  new String(body, StandardCharsets.UTF_8),
                  response.statusCode(),
                  answer);
      assertThat(response.statusCode())
          .as(what)
          .isIn(200, 202, 204, 400, 401, 403, 404, 405, 406, 413, 415);
      assertThat(answer).as(what).doesNotContain("Exception", "\tat ", "dev.toolcrib.mcp");
      String type = response.headers().firstValue("Content-Type").orElse("");
      if (type.startsWith("text/event-stream")) {
        answer
            .lines()
            .filter(l -> l.startsWith("data: "))
            .forEach(l -> isMessage(what, l.substring(6)));
      } else if (!answer.isEmpty()) {
        assertThat(type).as(what).startsWith("application/json");
        isMessage(what, answer);
      }
      if (request.method().equals("DELETE") && response.statusCode() == 204) {
        ann = ann(host);
      }
    }
    assertThat(ann(host).toolNames()).contains("tool_search");
  }

  private static void isMessage(String what, String json) {
    JsonNode message = RawClient.JSON.readTree(json);
    assertThat(message.path("jsonrpc").asString()).as(what).isEqualTo("2.0");
    if (!message.has("method")) {
      assertThat(message.has("id")).as(what).isTrue();
      assertThat(message.has("result") != message.has("error")).as(what).isTrue();
    }
  }

  private static byte[] body(RandomJson random) {
    Map<String, @Nullable Object> message = new LinkedHashMap<>();
    message.put("jsonrpc", random.chance(95) ? "2.0" : random.value(1));
    if (random.chance(90)) {
      message.put("id", random.chance(80) ? random.below(1_000) : random.value(2));
    }
    message.put("method", random.chance(95) ? random.one(METHODS) : random.value(1));
    if (random.chance(90)) {
      message.put("params", random.chance(85) ? random.object(PARAMETERS) : random.value(3));
    }
    String text = RandomJson.write(message);
    if (random.chance(15)) {
      text = random.damaged(text);
    }
    if (random.chance(5)) {
      text = "[".repeat(random.below(3_000)) + text;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (random.chance(10)) {
      bytes[random.below(bytes.length)] = (byte) random.below(256);
    }
    return bytes;
  }

  private static HttpRequest request(RandomJson random, RawClient client, byte[] body) {
    HttpRequest.Builder request = client.request();
    request.setHeader("Content-Type", random.chance(95) ? "application/json" : "text/plain");
    // A stream that is listened to has no end; all other answers have.
    String method =
        random.chance(90) ? "POST" : random.one(List.of("DELETE", "PUT", "PATCH", "OPTIONS", "X"));
    request.setHeader(
        "Accept", random.chance(95) ? "application/json, text/event-stream" : "text/html");
    if (random.chance(10)) {
      request.setHeader("Mcp-Session-Id", random.one(List.of("x", "", "no such session")));
    }
    if (random.chance(10)) {
      request.setHeader(
          "MCP-Protocol-Version", random.one(List.of("2025-06-18", "1999-01-01", "x")));
    }
    if (random.chance(10)) {
      request.setHeader(
          "Origin", random.one(List.of("null", "http://evil.example", "http://127.0.0.1", "%%%")));
    }
    if (random.chance(5)) {
      request.setHeader("X-User", "rest/bob");
    }
    return request.method(method, HttpRequest.BodyPublishers.ofByteArray(body)).build();
  }
}
