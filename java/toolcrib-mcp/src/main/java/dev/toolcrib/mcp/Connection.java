package dev.toolcrib.mcp;

import dev.toolcrib.Caller;
import dev.toolcrib.mcp.McpFailure.Kind;
import dev.toolcrib.mcp.oauth.OAuthException;
import io.modelcontextprotocol.client.transport.McpHttpClientTransportAuthorizationException;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One conversation with one server: requests and their answers, progress, cancellation, timeouts.
 *
 * <p>The SDK's client is not used, since it keeps a request that timed out for ever, tells the
 * server nothing of it, takes no notice of progress, and lists all tools again for each single
 * notification that they changed.
 */
final class Connection implements Wire.Receiver {

  private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

  /** The revisions spoken, the one offered first. */
  private static final List<String> REVISIONS =
      List.of("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05");

  private static final int MAX_PENDING = 4_096;
  private static final int LONGEST_MESSAGE = 2_000;

  /** Who is told what the server does without being asked. Nothing of it may block. */
  interface Listener {
    void toolsChanged();

    void lost(Throwable why);
  }

  /**
   * What the server said of itself.
   *
   * @param hasTools whether it has tools at all
   */
  record Introduction(String instructions, boolean hasTools, String revision) {}

  private final String name;
  private final Wire wire;
  private final ScheduledExecutorService timer;
  private final Listener listener;
  private final Map<String, Pending> pending = new ConcurrentHashMap<>();
  private final AtomicLong ids = new AtomicLong();
  private final AtomicBoolean lost = new AtomicBoolean();

  Connection(String name, Wire wire, ScheduledExecutorService timer, Listener listener) {
    this.name = name;
    this.wire = wire;
    this.timer = timer;
    this.listener = listener;
  }

  /**
   * How long an answer is waited for.
   *
   * @param silence from the request, and from each progress notification
   * @param longest in all, however much progress is told
   */
  record Patience(Duration silence, Duration longest) {

    /** One time for both, from the request on. */
    static Patience of(Duration time) {
      return new Patience(time, time);
    }
  }

  private final class Pending {
    final String id;
    final CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
    final Patience patience;
    final long begun = System.nanoTime();
    final boolean cancellable;
    final @Nullable Caller caller;
    final @Nullable Consumer<McpProgress> progress;
    private volatile @Nullable ScheduledFuture<?> clock;

    Pending(
        String id,
        Patience patience,
        boolean cancellable,
        @Nullable Caller caller,
        @Nullable Consumer<McpProgress> progress) {
      this.id = id;
      this.patience = patience;
      this.cancellable = cancellable;
      this.caller = caller;
      this.progress = progress;
    }

    /** Starts the time of silence anew. */
    void wind() {
      ScheduledFuture<?> former = clock;
      if (former != null) {
        former.cancel(false);
      }
      long left = patience.longest().toNanos() - (System.nanoTime() - begun);
      boolean last = left <= patience.silence().toNanos();
      clock =
          timer.schedule(
              () -> late(last ? patience.longest() : patience.silence()),
              last ? left : patience.silence().toNanos(),
              TimeUnit.NANOSECONDS);
      if (answer.isDone()) {
        stop();
      }
    }

    void stop() {
      ScheduledFuture<?> running = clock;
      if (running != null) {
        running.cancel(false);
      }
    }

    private void late(Duration waited) {
      giveUp(
          new McpFailure(Kind.TIMEOUT, "no answer within %s ms".formatted(waited.toMillis())),
          "timeout");
    }

    void giveUp(McpFailure why, String reason) {
      if (answer.completeExceptionally(why) && cancellable) {
        Map<String, Object> parameters = Map.of("requestId", id, "reason", reason);
        var unused =
            wire.send(new JSONRPCNotification("notifications/cancelled", parameters), caller);
      }
    }
  }

  /** A request on its way. */
  record Request(CompletableFuture<@Nullable Object> answer, Runnable cancel) {}

  /**
   * Opens the wire and introduces both sides to each other. May block like {@link Wire#open}.
   *
   * @param caller for whom the connection is; null for nobody in particular
   */
  CompletableFuture<Introduction> open(Duration timeout, String version, @Nullable Caller caller) {
    wire.open(this);
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("protocolVersion", REVISIONS.get(0));
    parameters.put("capabilities", Map.of());
    parameters.put("clientInfo", Map.of("name", "toolcrib", "version", version));
    return request("initialize", parameters, Patience.of(timeout), false, caller, null)
        .answer()
        .thenCompose(result -> introduced(result, caller));
  }

  private CompletableFuture<Introduction> introduced(
      @Nullable Object result, @Nullable Caller caller) {
    String revision = Json.string(result, "protocolVersion");
    if (revision == null || !REVISIONS.contains(revision)) {
      throw new McpFailure(
          Kind.NONSENSE,
          "the server speaks MCP " + cut(String.valueOf(revision)) + ", which is not known");
    }
    wire.negotiated(revision);
    String instructions = Json.string(result, "instructions");
    boolean tools = Json.object(Json.object(result, "capabilities"), "tools") != null;
    Introduction introduction =
        new Introduction(instructions == null ? "" : instructions, tools, revision);
    return wire.send(new JSONRPCNotification("notifications/initialized", null), caller)
        .thenApply(sent -> introduction);
  }

  /**
   * Sends a request.
   *
   * @param patience how long it may take
   * @param cancellable whether the server is told if the answer is not wanted any more
   */
  Request request(
      String method,
      Map<String, Object> parameters,
      Patience patience,
      boolean cancellable,
      @Nullable Caller caller,
      @Nullable Consumer<McpProgress> progress) {
    String id = "t" + ids.incrementAndGet();
    Pending request = new Pending(id, patience, cancellable, caller, progress);
    if (pending.size() >= MAX_PENDING) {
      request.answer.completeExceptionally(
          new McpFailure(Kind.NOT_SENT, "%s requests are open already".formatted(MAX_PENDING)));
      return new Request(request.answer, () -> {});
    }
    pending.put(id, request);
    var unused =
        request.answer.whenComplete(
            (answer, failure) -> {
              pending.remove(id);
              request.stop();
            });
    request.wind();
    Map<String, Object> sent = new LinkedHashMap<>(parameters);
    if (progress != null) {
      sent.put("_meta", Map.of("progressToken", id));
    }
    if (lost.get()) {
      request.answer.completeExceptionally(new McpFailure(Kind.NOT_SENT, "the server is gone"));
    } else {
      Wire.onFailure(
          wire.send(new JSONRPCRequest(method, id, sent), caller),
          failure -> request.answer.completeExceptionally(notSent(failure)));
    }
    return new Request(
        request.answer,
        () -> request.giveUp(new McpFailure(Kind.CANCELLED, "cancelled"), "cancelled"));
  }

  /** Whether nothing is waited for. */
  boolean isIdle() {
    return pending.isEmpty();
  }

  boolean isLost() {
    return lost.get();
  }

  String lastWords() {
    return wire.lastWords();
  }

  CompletableFuture<@Nullable Void> close() {
    lost.set(true);
    failAll(new McpFailure(Kind.LOST, "the connection was closed"));
    return wire.close();
  }

  @Override
  public void received(JSONRPCMessage message) {
    try {
      take(message);
    } catch (RuntimeException e) {
      // Whoever is told of progress may throw, and nothing would be read any more.
      LOG.warn("a message of MCP server {} came to nothing", name, e);
    }
  }

  private void take(JSONRPCMessage message) {
    if (message instanceof JSONRPCResponse response) {
      answered(response);
    } else if (message instanceof JSONRPCNotification notification) {
      notified(notification);
    } else if (message instanceof JSONRPCRequest request) {
      // We offer nothing that a server could ask for.
      JSONRPCResponse answer =
          request.method().equals(McpSchema.METHOD_PING)
              ? JSONRPCResponse.result(request.id(), Map.of())
              : JSONRPCResponse.error(
                  request.id(),
                  new JSONRPCResponse.JSONRPCError(
                      ErrorCodes.METHOD_NOT_FOUND, "not supported: " + cut(request.method())));
      var unused = wire.send(answer, null);
    }
  }

  private void answered(JSONRPCResponse response) {
    Pending request = pending.get(String.valueOf(response.id()));
    if (request == null) {
      LOG.debug("MCP server {} answered what was not asked: {}", name, response.id());
      return;
    }
    var error = response.error();
    if (error == null) {
      request.answer.complete(response.result());
    } else {
      request.answer.completeExceptionally(
          new McpFailure(Kind.REFUSED, "%s (%s)".formatted(cut(error.message()), error.code())));
    }
  }

  private void notified(JSONRPCNotification notification) {
    switch (notification.method()) {
      case McpSchema.METHOD_NOTIFICATION_TOOLS_LIST_CHANGED -> listener.toolsChanged();
      case McpSchema.METHOD_NOTIFICATION_PROGRESS -> progressed(notification.params());
      default -> LOG.trace("MCP server {}: {}", name, notification);
    }
  }

  private void progressed(@Nullable Object parameters) {
    String token = Json.string(parameters, "progressToken");
    Pending request = token == null ? null : pending.get(token);
    Number progress = Json.number(parameters, "progress");
    if (request == null || progress == null) {
      return;
    }
    request.wind();
    if (request.progress != null) {
      Number total = Json.number(parameters, "total");
      String message = Json.string(parameters, "message");
      request.progress.accept(
          new McpProgress(
              progress.doubleValue(),
              total == null ? null : total.doubleValue(),
              message == null ? null : cut(message)));
    }
  }

  @Override
  public void unusable(String id, String why) {
    Pending request = pending.get(id);
    if (request != null) {
      request.answer.completeExceptionally(new McpFailure(Kind.NONSENSE, why));
    }
  }

  @Override
  public void lost(Throwable why) {
    if (lost.compareAndSet(false, true)) {
      failAll(new McpFailure(Kind.LOST, "the server was gone before it answered", why));
      listener.lost(why);
    }
  }

  private void failAll(McpFailure failure) {
    pending.values().forEach(request -> request.answer.completeExceptionally(failure));
  }

  private static McpFailure notSent(Throwable failure) {
    if (failure instanceof McpFailure known) {
      return known;
    }
    if (failure instanceof OAuthException) {
      return new McpFailure(Kind.UNAUTHORIZED, cut(words(failure)), failure);
    }
    if (failure instanceof McpHttpClientTransportAuthorizationException) {
      return new McpFailure(Kind.UNAUTHORIZED, "the server wants to know who asks", failure);
    }
    return new McpFailure(Kind.NOT_SENT, cut(words(failure)), failure);
  }

  static String words(Throwable failure) {
    String message = failure.getMessage();
    return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
  }

  static String cut(String text) {
    if (text.length() <= LONGEST_MESSAGE) {
      return text;
    }
    boolean within = Character.isHighSurrogate(text.charAt(LONGEST_MESSAGE - 1));
    return text.substring(0, LONGEST_MESSAGE - (within ? 1 : 0)) + "…";
  }
}
