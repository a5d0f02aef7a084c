package dev.toolcrib.mcp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An OpenAI-compatible model on loopback that says what a test wants, turn by turn: a call of a
 * tool as {@code name arguments}, anything else as text.
 */
final class ScriptedModel implements AutoCloseable {

  private static final JsonMapper JSON = JsonMapper.shared();

  private final HttpServer server;
  private final List<String> turns;
  final List<JsonNode> requests = new CopyOnWriteArrayList<>();

  ScriptedModel(String... turns) throws IOException {
    this.turns = List.of(turns);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/", this::answer);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1";
  }

  private void answer(HttpExchange exchange) throws IOException {
    JsonNode request = JSON.readTree(exchange.getRequestBody());
    requests.add(request);
    String turn = turns.get(Math.min(requests.size(), turns.size()) - 1);
    int space = turn.indexOf(" {");
    Map<String, Object> delta =
        space < 0
            ? Map.of("role", "assistant", "content", turn)
            : Map.of(
                "role",
                "assistant",
                "tool_calls",
                List.of(
                    Map.of(
                        "index",
                        0,
                        "id",
                        "call_" + requests.size(),
                        "type",
                        "function",
                        "function",
                        Map.of(
                            "name", turn.substring(0, space),
                            "arguments", turn.substring(space + 1)))));
    String body =
        event(delta, null)
            + event(Map.of(), space < 0 ? "stop" : "tool_calls")
            + "data: [DONE]\n\n";
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static String event(Object delta, String finish) {
    java.util.LinkedHashMap<String, Object> choice = new java.util.LinkedHashMap<>();
    choice.put("index", 0);
    choice.put("delta", delta);
    choice.put("finish_reason", finish);
    return "data: "
        + JSON.writeValueAsString(
            Map.of(
                "id",
                "chat",
                "object",
                "chat.completion.chunk",
                "created",
                0,
                "model",
                "scripted",
                "choices",
                List.of(choice)))
        + "\n\n";
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
