package dev.toolcrib.mcp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.toolcrib.mcp.FakeServer.Fault;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A {@link FakeServer} behind HTTP on loopback, without sessions. */
final class FakeHttpServer implements AutoCloseable {

  private final HttpServer http;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ThreadLocal<List<String>> answers = ThreadLocal.withInitial(ArrayList::new);
  private final FakeServer server;
  private final Charset charset;
  private final boolean streams;

  /**
   * Serves.
   *
   * @param streams whether answers are streams of events, not plain JSON
   */
  FakeHttpServer(Fault fault, boolean streams) throws IOException {
    this.streams = streams;
    charset = fault == Fault.INVALID_UTF8 ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8;
    server = new FakeServer(fault, line -> answers.get().add(line));
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.setExecutor(threads);
    http.createContext("/mcp", this::handle);
    http.start();
  }

  String url() {
    return "http://127.0.0.1:" + http.getAddress().getPort() + "/mcp";
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("POST")) {
        exchange.sendResponseHeaders(405, -1);
        return;
      }
      List<String> told = answers.get();
      told.clear();
      server.receive(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      if (told.isEmpty()) {
        exchange.sendResponseHeaders(202, -1);
        return;
      }
      exchange
          .getResponseHeaders()
          .set("Content-Type", streams ? "text/event-stream" : "application/json");
      exchange.sendResponseHeaders(200, 0);
      try (OutputStream out = exchange.getResponseBody()) {
        for (String message : told) {
          out.write((streams ? "data: " + message + "\n\n" : message).getBytes(charset));
        }
      }
    }
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
