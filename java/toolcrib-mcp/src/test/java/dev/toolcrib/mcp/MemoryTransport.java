package dev.toolcrib.mcp;

import dev.toolcrib.mcp.FakeServer.Fault;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpTransportSessionNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A transport to a {@link FakeServer} within this process. */
final class MemoryTransport implements McpClientTransport {

  final FakeServer server;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread daemon = new Thread(task, "fake-server");
            daemon.setDaemon(true);
            return daemon;
          });
  private Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler = message -> message;
  private Consumer<Throwable> failures = failure -> {};

  MemoryTransport(Fault fault) {
    server = new FakeServer(fault, this::deliver);
  }

  private void deliver(String line) {
    try {
      JSONRPCMessage message = McpSchema.deserializeJsonRpcMessage(Json.MCP, line);
      thread.execute(() -> handler.apply(Mono.just(message)).subscribe());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The server forgets that it knew us. */
  void vanish() {
    failures.accept(new McpTransportSessionNotFoundException("gone"));
  }

  @Override
  public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> incoming) {
    handler = incoming;
    return Mono.empty();
  }

  @Override
  public void setExceptionHandler(Consumer<Throwable> consumer) {
    failures = consumer;
  }

  @Override
  public Mono<Void> sendMessage(JSONRPCMessage message) {
    return Mono.fromRunnable(() -> thread.execute(() -> server.receive(line(message))));
  }

  private static String line(JSONRPCMessage message) {
    try {
      return Json.MCP.writeValueAsString(message);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Mono<Void> closeGracefully() {
    return Mono.fromRunnable(thread::shutdown);
  }

  @Override
  public <T> @Nullable T unmarshalFrom(Object data, TypeRef<T> type) {
    return Json.MCP.convertValue(data, type);
  }
}
