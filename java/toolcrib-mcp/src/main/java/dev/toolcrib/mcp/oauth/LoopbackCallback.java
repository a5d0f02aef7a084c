package dev.toolcrib.mcp.oauth;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Waits on 127.0.0.1 for the browser to come back. Only who knows the state is listened to, once.
 */
final class LoopbackCallback implements AutoCloseable {

  private static final String PATH = "/callback";

  /** Browsers that ask for something else meanwhile, or never end their request. */
  private static final int THREADS = 4;

  private final byte[] state;
  private final HttpServer server;
  private final ExecutorService threads;
  private final CompletableFuture<Map<String, String>> answer = new CompletableFuture<>();

  LoopbackCallback(String state, int port) {
    this.state = state.getBytes(StandardCharsets.UTF_8);
    try {
      InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
      server = HttpServer.create(new InetSocketAddress(loopback, port), 8);
    } catch (IOException e) {
      throw new OAuthException("port %s of 127.0.0.1 cannot be listened on".formatted(port));
    }
    threads =
        Executors.newFixedThreadPool(
            THREADS,
            task -> {
              Thread thread = new Thread(task, "toolcrib-mcp-callback");
              thread.setDaemon(true);
              return thread;
            });
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + PATH;
  }

  /** Completes with the parameters that the browser brought. */
  CompletableFuture<Map<String, String>> answer() {
    return answer;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean asked =
          exchange.getRequestMethod().equals("GET")
              && exchange.getRequestURI().getPath().equals(PATH);
      if (!asked) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      Map<String, String> parameters = parameters(exchange.getRequestURI().getRawQuery());
      byte[] given = parameters.getOrDefault("state", "").getBytes(StandardCharsets.UTF_8);
      boolean ours = MessageDigest.isEqual(given, state) && !answer.isDone();
      byte[] page =
          (ours
                  ? "Thank you. This window can be closed.\n"
                  : "This is not the answer that is waited for.\n")
              .getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
      exchange.getResponseHeaders().set("Cache-Control", "no-store");
      exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
      exchange.sendResponseHeaders(ours ? 200 : 400, page.length);
      exchange.getResponseBody().write(page);
      exchange.getResponseBody().close();
      if (ours) {
        answer.complete(parameters);
      }
    }
  }

  /** The parameters; of one that is there twice nothing, since either could be meant. */
  private static Map<String, String> parameters(String query) {
    Map<String, String> parameters = new HashMap<>();
    for (String pair : query == null ? new String[0] : query.split("&", 64)) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      try {
        String value =
            equals < 0 ? "" : URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8);
        if (parameters.put(name, value) != null) {
          return Map.of();
        }
      } catch (IllegalArgumentException e) {
        return Map.of();
      }
    }
    return parameters;
  }

  @Override
  public void close() {
    answer.cancel(false);
    server.stop(0);
    threads.shutdownNow();
  }
}
