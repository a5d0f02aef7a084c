package dev.toolcrib.mcp;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An MCP client that sends what a test wants, right or wrong. */
final class RawClient {

  static final JsonMapper JSON = JsonMapper.shared();

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI url;
  private final @Nullable String user;
  @Nullable String session;
  private int id;

  RawClient(String url, @Nullable String user) {
    this.url = URI.create(url);
    this.user = user;
  }

  RawClient initialize() throws Exception {
    HttpResponse<String> response =
        send(
            "initialize",
            Map.of(
                "protocolVersion", "2025-11-25",
                "capabilities", Map.of(),
                "clientInfo", Map.of("name", "raw", "version", "1")));
    session = response.headers().firstValue("Mcp-Session-Id").orElse(null);
    return this;
  }

  HttpResponse<String> send(String method, Object parameters) throws Exception {
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("jsonrpc", "2.0");
    message.put("id", ++id);
    message.put("method", method);
    message.put("params", parameters);
    return post(JSON.writeValueAsString(message));
  }

  HttpResponse<String> post(String body) throws Exception {
    return http.send(
        request()
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  HttpRequest.Builder request() {
    HttpRequest.Builder request = HttpRequest.newBuilder(url);
    if (user != null) {
      request.header("X-User", user);
    }
    if (session != null) {
      request.header("Mcp-Session-Id", session);
    }
    return request;
  }

  HttpClient http() {
    return http;
  }

  /** The answer to a request, whichever way it came. */
  JsonNode ask(String method, Object parameters) throws Exception {
    String body = send(method, parameters).body();
    return JSON.readTree(
        !body.startsWith("{") ? body.substring(body.lastIndexOf("data: ") + 6) : body);
  }

  JsonNode call(String tool, Object arguments) throws Exception {
    return ask("tools/call", Map.of("name", tool, "arguments", arguments));
  }

  List<String> toolNames() throws Exception {
    List<String> names = new ArrayList<>();
    ask("tools/list", Map.of())
        .path("result")
        .path("tools")
        .forEach(tool -> names.add(tool.path("name").asString()));
    return names;
  }
}
