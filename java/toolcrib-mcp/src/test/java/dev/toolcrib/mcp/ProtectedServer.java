package dev.toolcrib.mcp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.toolcrib.mcp.FakeServer.Fault;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import tools.jackson.databind.json.JsonMapper;

/**
 * An MCP server on loopback that wants a token, and the authorization server beside it, each as
 * wrong as a test makes it.
 */
final class ProtectedServer implements AutoCloseable {

  private static final JsonMapper JSON = JsonMapper.shared();

  /** An answer of HTTP. */
  record Reply(int status, Map<String, String> headers, String body) {
    static Reply json(Object value) {
      return new Reply(200, Map.of(), JSON.writeValueAsString(value));
    }
  }

  final HttpServer http;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** What is answered at a path in place of what is right. */
  final Map<String, Reply> replies = new ConcurrentHashMap<>();

  /** Changes of the authorization server's metadata. */
  final Map<String, Object> metadata = new ConcurrentHashMap<>();

  /** Changes of answers with tokens. */
  final Map<String, Object> answers = new ConcurrentHashMap<>();

  final List<Map<String, String>> tokenRequests = new CopyOnWriteArrayList<>();
  final List<String> authorizations = new CopyOnWriteArrayList<>();
  final List<String> asked = new CopyOnWriteArrayList<>();
  final AtomicInteger issued = new AtomicInteger();
  volatile Predicate<String> accepts = token -> token.equals("access-" + issued.get());
  volatile String challenge;
  volatile String refusesCalls = "";

  ProtectedServer() throws IOException {
    http = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    http.setExecutor(threads);
    http.createContext("/", this::handle);
    http.start();
    challenge = "Bearer realm=\"x\", resource_metadata=\"" + base() + "/metadata\"";
  }

  String base() {
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  String url() {
    return base() + "/mcp";
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    byte[] body = exchange.getRequestBody().readAllBytes();
    asked.add(path);
    Reply reply = replies.get(path);
    if (reply == null) {
      reply = right(exchange, path, new String(body, StandardCharsets.UTF_8));
    }
    reply.headers().forEach(exchange.getResponseHeaders()::set);
    if (!reply.body().isEmpty()) {
      exchange.getResponseHeaders().set("Content-Type", "application/json");
    }
    byte[] sent = reply.body().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(reply.status(), sent.length == 0 ? -1 : sent.length);
    // Not the exchange, which would take the connection from the client's next request.
    exchange.getResponseBody().write(sent);
    exchange.getResponseBody().close();
  }

  private Reply right(HttpExchange exchange, String path, String body) {
    return switch (path) {
      case "/mcp" -> mcp(exchange, body);
      case "/metadata" ->
          Reply.json(Map.of("resource", url(), "authorization_servers", List.of(base())));
      case "/.well-known/oauth-authorization-server" -> {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("issuer", base());
        all.put("token_endpoint", base() + "/token");
        all.put("authorization_endpoint", base() + "/authorize");
        all.put("code_challenge_methods_supported", List.of("S256"));
        all.putAll(metadata);
        yield Reply.json(all);
      }
      case "/token" -> token(exchange, body);
      default -> new Reply(404, Map.of(), "");
    };
  }

  private Reply token(HttpExchange exchange, String body) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String pair : body.split("&")) {
      String[] parts = pair.split("=", 2);
      fields.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
    }
    tokenRequests.add(fields);
    authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("access_token", "access-" + issued.incrementAndGet());
    answer.put("token_type", "Bearer");
    answer.put("expires_in", 300);
    answer.putAll(answers);
    return Reply.json(answer);
  }

  private Reply mcp(HttpExchange exchange, String body) {
    if (!exchange.getRequestMethod().equals("POST")) {
      return new Reply(405, Map.of(), "");
    }
    String given = exchange.getRequestHeaders().getFirst("Authorization");
    if (given == null || !accepts.test(given.substring("Bearer ".length()))) {
      return new Reply(401, Map.of("WWW-Authenticate", challenge), "");
    }
    if (!refusesCalls.isEmpty() && body.contains("tools/call")) {
      return new Reply(403, Map.of("WWW-Authenticate", refusesCalls), "");
    }
    List<String> out = new ArrayList<>();
    new FakeServer(Fault.NONE, out::add).receive(body);
    return out.isEmpty() ? new Reply(202, Map.of(), "") : new Reply(200, Map.of(), out.get(0));
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
