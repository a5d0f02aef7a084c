package dev.toolcrib.mcp;

import dev.toolcrib.CallRequest;
import dev.toolcrib.CallResult;
import dev.toolcrib.Caller;
import dev.toolcrib.Endpoint;
import dev.toolcrib.Target;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSession;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpStatelessServerHandler;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * Serves the tools of a registry to MCP clients: to each caller what the caller may use, by a few
 * tools that find, describe and call all others, and by those of exposure {@code DIRECT}
 * themselves. Where {@linkplain McpServerOptions#codemode that is wanted}, clients run scripts too,
 * each of whose calls is validated, authorized and executed like one of the client itself.
 *
 * <p>Who calls is asked for each request. Nobody gets an empty list and refused calls. A tool that
 * does not exist and one that the caller may not know give the same answer.
 *
 * <p>Serve it with {@link McpHttpServlet} or {@link McpStdioServer}. It is a handler of the SDK's
 * stateless transports too, which have no sessions and tell no progress.
 *
 * <p>Safe for use by many threads. The registry is not closed with it.
 */
public final class McpToolServer implements McpStatelessServerHandler {

  private static final Logger LOG = LoggerFactory.getLogger(McpToolServer.class);

  /** The revisions served, the newest first. */
  static final List<String> REVISIONS =
      List.of("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05");

  private static final String NOBODY =
      "This request does not say who asks, so no tool can be called.";

  private final ToolRegistry registry;
  private final McpCallers callers;
  private final McpServerOptions options;
  private final CallControl control;
  private final ListedTools listed;
  private final Endpoint endpoint;

  private McpToolServer(
      ToolRegistry registry,
      McpCallers callers,
      McpServerOptions options,
      @Nullable McpSources sources) {
    this.registry = registry;
    this.callers = callers;
    this.options = options;
    control = sources == null ? new CallControl() : sources.control();
    listed = new ListedTools(options);
    endpoint = options.sessionMode() ? Endpoint.of(Target.MCP) : Endpoint.ofProvider(Target.MCP);
  }

  /**
   * Serves a registry.
   *
   * @param registry whose tools
   * @param callers who asks
   * @param options how
   * @return the server
   */
  public static McpToolServer of(
      ToolRegistry registry, McpCallers callers, McpServerOptions options) {
    return new McpToolServer(registry, callers, options, null);
  }

  /**
   * Serves a registry whose tools, some of them, are on MCP servers: progress and cancellation pass
   * through.
   *
   * @param registry whose tools
   * @param callers who asks
   * @param options how
   * @param sources the servers
   * @return the server
   */
  public static McpToolServer of(
      ToolRegistry registry, McpCallers callers, McpServerOptions options, McpSources sources) {
    return new McpToolServer(registry, callers, options, sources);
  }

  /**
   * What tells clients of their calls' progress and cancels them; that of the MCP servers, if there
   * are any.
   *
   * @return the same each time
   */
  public CallControl control() {
    return control;
  }

  McpCallers callers() {
    return callers;
  }

  McpServerOptions options() {
    return options;
  }

  @Override
  public Mono<JSONRPCResponse> handleRequest(McpTransportContext context, JSONRPCRequest request) {
    return Mono.fromFuture(() -> answer(null, callers.of(context), request, told -> {}));
  }

  @Override
  public Mono<Void> handleNotification(
      McpTransportContext context, JSONRPCNotification notification) {
    return Mono.empty();
  }

  /**
   * Answers a request.
   *
   * @param client what is kept of the client; null if nothing is
   * @param caller who asks; null for nobody
   * @param tell takes what the client is told before the answer
   * @return completes with the answer, and never exceptionally
   */
  CompletableFuture<JSONRPCResponse> answer(
      @Nullable ClientSession client,
      @Nullable Caller caller,
      JSONRPCRequest request,
      Consumer<JSONRPCNotification> tell) {
    CompletableFuture<JSONRPCResponse> answer;
    try {
      answer =
          switch (request.method()) {
            case McpSchema.METHOD_INITIALIZE ->
                done(result(request, introduction(client, request)));
            case McpSchema.METHOD_PING -> done(result(request, Map.of()));
            case McpSchema.METHOD_TOOLS_LIST -> done(list(client, caller, request));
            case McpSchema.METHOD_TOOLS_CALL -> call(client, caller, request, tell);
            default ->
                done(
                    error(
                        request,
                        ErrorCodes.METHOD_NOT_FOUND,
                        "Method not found: " + request.method()));
          };
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    return answer.exceptionally(
        failure -> {
          LOG.warn("MCP request {} failed", request.method(), failure);
          return error(request, ErrorCodes.INTERNAL_ERROR, "The request failed.");
        });
  }

  /** Takes a notification of a client. */
  void notified(@Nullable ClientSession client, JSONRPCNotification notification) {
    if (client == null
        || !notification.method().equals("notifications/cancelled")
        || !(notification.params() instanceof Map<?, ?> parameters)) {
      return;
    }
    Object requestId = parameters.get("requestId");
    String callId = requestId == null ? null : client.callOf(requestId);
    if (callId != null) {
      control.cancel(callId);
    }
  }

  private Map<String, Object> introduction(@Nullable ClientSession client, JSONRPCRequest request) {
    String wanted = Json.string(request.params(), "protocolVersion");
    Map<String, Object> server = new LinkedHashMap<>();
    server.put("name", options.name());
    if (options.title() != null) {
      server.put("title", options.title());
    }
    server.put("version", McpSources.version());
    Map<String, Object> introduction = new LinkedHashMap<>();
    introduction.put(
        "protocolVersion",
        wanted != null && REVISIONS.contains(wanted) ? wanted : REVISIONS.get(0));
    boolean changes = options.sessionMode() && client != null;
    introduction.put("capabilities", Map.of("tools", Map.of("listChanged", changes)));
    introduction.put("serverInfo", server);
    if (options.instructions() != null) {
      introduction.put("instructions", options.instructions());
    }
    return introduction;
  }

  private JSONRPCResponse list(
      @Nullable ClientSession client, @Nullable Caller caller, JSONRPCRequest request) {
    if (caller == null) {
      return result(request, ListedTools.none());
    }
    String cursor = Json.string(request.params(), "cursor");
    try (UsedSession used = session(client, caller, false)) {
      Map<String, Object> page = listed.page(used.session(), endpoint, client != null, cursor);
      return page == null
          ? error(request, ErrorCodes.INVALID_PARAMS, "The cursor is none of this server's.")
          : result(request, page);
    }
  }

  private CompletableFuture<JSONRPCResponse> call(
      @Nullable ClientSession client,
      @Nullable Caller caller,
      JSONRPCRequest request,
      Consumer<JSONRPCNotification> tell) {
    String name = Json.string(request.params(), "name");
    if (name == null) {
      return done(error(request, ErrorCodes.INVALID_PARAMS, "The name of the tool is missing."));
    }
    if (caller == null) {
      return done(result(request, CallAnswers.error(NOBODY)));
    }
    Map<?, ?> arguments = Json.object(request.params(), "arguments");
    String withheld = listed.withheld(name, arguments);
    if (withheld != null) {
      return done(
          error(
              request,
              ErrorCodes.INVALID_PARAMS,
              "This server does not offer %s.".formatted(withheld)));
    }
    String callId = UUID.randomUUID().toString();
    Object token = progressToken(request);
    Runnable followed =
        control.follow(callId, progress -> tell.accept(progress(token, progress)), token != null);
    if (client != null) {
      client.started(request.id(), callId);
    }
    return CompletableFuture.completedFuture(callId)
        .thenCompose(begun -> call(client, caller, request, name, callId))
        .whenComplete(
            (answer, failure) -> {
              followed.run();
              if (client != null) {
                client.ended(request.id(), callId);
              }
            });
  }

  private CompletableFuture<JSONRPCResponse> call(
      @Nullable ClientSession client,
      Caller caller,
      JSONRPCRequest request,
      String name,
      String callId) {
    Map<?, ?> arguments = Json.object(request.params(), "arguments");
    CallRequest call =
        CallRequest.of(name, arguments == null ? "{}" : Json.text(arguments))
            .withCallId(callId)
            .withEndpoint(endpoint);
    UsedSession used = session(client, caller, ListedTools.runsScript(name));
    CompletableFuture<CallResult> called;
    try {
      called = used.session().call(call);
      // A tool of a server has said itself how it is cancelled; for all but scripts this does
      // nothing.
      control.started(callId, () -> used.session().cancel(callId));
    } catch (RuntimeException | Error e) {
      used.close();
      throw e;
    }
    return called.handle(
        (result, failure) -> {
          used.close();
          if (failure != null) {
            LOG.warn("call of {} over MCP failed", name, failure);
            return result(request, CallAnswers.error(name + " failed."));
          }
          return answered(client, request, result);
        });
  }

  private JSONRPCResponse answered(
      @Nullable ClientSession client, JSONRPCRequest request, CallResult result) {
    String called = Json.string(request.params(), "name");
    if (result instanceof CallResult.NotFound && called != null && !ListedTools.isOwn(called)) {
      return error(request, ErrorCodes.INVALID_PARAMS, result.text());
    }
    Map<String, Object> answer = CallAnswers.of(result, options.wholeResults());
    if (result instanceof CallResult.Searched searched) {
      if (options.sessionMode()
          && client != null
          && !searched.outcome().addedToolNames().isEmpty()) {
        client.tell(
            new JSONRPCNotification(McpSchema.METHOD_NOTIFICATION_TOOLS_LIST_CHANGED, null));
      }
    }
    return result(request, answer);
  }

  private UsedSession session(@Nullable ClientSession client, Caller caller, boolean script) {
    if (client != null && options.sessionMode()) {
      return client.tools(opening(caller), caller);
    }
    if (client != null && script) {
      return client.script(opening(caller));
    }
    ToolSession session = opening(caller).open();
    return new UsedSession(session, session::close);
  }

  /** Where scripts are not offered, the search reaches what they would. */
  private ToolSession.Builder opening(Caller caller) {
    return registry
        .session(caller)
        .codemode(options.codemode() && !options.withheld().contains(ListedTools.CODEMODE))
        .listener(control::handled);
  }

  private static @Nullable Object progressToken(JSONRPCRequest request) {
    Map<?, ?> meta = Json.object(request.params(), "_meta");
    Object token = meta == null ? null : meta.get("progressToken");
    return token instanceof String || token instanceof Number ? token : null;
  }

  private static JSONRPCNotification progress(@Nullable Object token, McpProgress progress) {
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("progressToken", token);
    parameters.put("progress", progress.progress());
    if (progress.total() != null) {
      parameters.put("total", progress.total());
    }
    if (progress.message() != null) {
      parameters.put("message", progress.message());
    }
    return new JSONRPCNotification(McpSchema.METHOD_NOTIFICATION_PROGRESS, parameters);
  }

  /** An answer as JSON; one that cannot be written becomes an error that can. */
  static byte[] bytes(JSONRPCResponse answer) {
    try {
      return Json.bytes(answer);
    } catch (RuntimeException e) {
      LOG.warn("an answer over MCP cannot be written", e);
      JSONRPCResponse error =
          JSONRPCResponse.error(
              answer.id(),
              new JSONRPCResponse.JSONRPCError(
                  ErrorCodes.INTERNAL_ERROR, "The answer cannot be written as JSON."));
      // Not as bytes at once, which half a character in the id would keep from being written too.
      return Json.text(error).getBytes(StandardCharsets.UTF_8);
    }
  }

  private static JSONRPCResponse result(JSONRPCRequest request, Object result) {
    return JSONRPCResponse.result(request.id(), result);
  }

  private static JSONRPCResponse error(JSONRPCRequest request, int code, String message) {
    return JSONRPCResponse.error(
        request.id(), new JSONRPCResponse.JSONRPCError(code, Connection.cut(message)));
  }

  private static CompletableFuture<JSONRPCResponse> done(JSONRPCResponse answer) {
    return CompletableFuture.completedFuture(answer);
  }
}
