package dev.toolcrib.mcp;

import dev.toolcrib.ToolCall;
import dev.toolcrib.ToolExecutor;
import dev.toolcrib.ToolResult;
import dev.toolcrib.ToolUnavailableException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** Calls the tools of one server. Nothing is ever sent twice. */
final class McpToolExecutor implements ToolExecutor {

  private final ManagedServer server;
  private final CallControl control;
  private final Executor callbacks;

  McpToolExecutor(ManagedServer server, CallControl control, Executor callbacks) {
    this.server = server;
    this.control = control;
    this.callbacks = callbacks;
  }

  @Override
  public CompletionStage<ToolResult> execute(ToolCall call) {
    return server
        .connectionFor(call.caller())
        .thenCompose(connection -> send(connection, call))
        .handleAsync(
            (result, failure) -> failure == null ? result : failed(call, failure), callbacks);
  }

  private CompletableFuture<ToolResult> send(Connection connection, ToolCall call) {
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("name", call.tool().localName());
    parameters.put("arguments", Json.tree(call.arguments()));
    Connection.Request request =
        connection.request(
            "tools/call",
            parameters,
            server.patience(),
            true,
            call.caller(),
            control.progressOf(call.callId()));
    control.started(call, request.cancel());
    // Elsewhere than on the thread that reads, which whoever waits for the result could hold up.
    return request.answer().thenApplyAsync(ToolResults::of, callbacks);
  }

  private ToolResult failed(ToolCall call, Throwable failure) {
    Throwable cause = McpFailure.unwrapped(failure);
    if (!(cause instanceof McpFailure refused)) {
      throw cause instanceof RuntimeException e ? e : new CompletionException(cause);
    }
    String tool = call.tool().name();
    String message = String.valueOf(refused.getMessage());
    return switch (refused.kind) {
      case REFUSED -> ToolResult.error(message);
      case TIMEOUT, LOST, NONSENSE, CANCELLED ->
          ToolResult.error(
              "%s failed: %s. Whether it had an effect is not known.".formatted(tool, message));
      case NOT_SENT, UNAUTHORIZED ->
          throw new ToolUnavailableException(
              "%s was not executed: %s.".formatted(tool, message), refused);
    };
  }
}
