package dev.toolcrib.mcp;

import dev.toolcrib.Caller;
import dev.toolcrib.mcp.oauth.OAuthClient;
import dev.toolcrib.mcp.oauth.OAuthException;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpTransportSessionNotFoundException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;

/** A server that is reached through a transport of the SDK. */
final class HttpWire implements Wire {

  /** Under which the transport context has the caller of a request. */
  static final String CALLER = "dev.toolcrib.caller";

  private final McpClientTransport transport;
  private final AtomicBoolean over = new AtomicBoolean();
  private volatile @Nullable String revision;

  private final @Nullable OAuthClient oauth;
  private volatile @Nullable Receiver told;

  HttpWire(McpClientTransport transport, @Nullable OAuthClient oauth) {
    this.transport = transport;
    this.oauth = oauth;
  }

  @Override
  public void open(Receiver receiver) {
    told = receiver;
    transport.setExceptionHandler(
        failure -> {
          // Of all that can go wrong with one request only this means that the session is over.
          if (failure instanceof McpTransportSessionNotFoundException
              && over.compareAndSet(false, true)) {
            receiver.lost(failure);
          }
        });
    transport
        .connect(incoming -> incoming.doOnNext(receiver::received))
        .subscribe(
            nothing -> {},
            failure -> {
              if (over.compareAndSet(false, true)) {
                receiver.lost(failure);
              }
            });
  }

  @Override
  public CompletableFuture<@Nullable Void> send(JSONRPCMessage message, @Nullable Caller caller) {
    McpTransportContext context =
        caller == null
            ? McpTransportContext.EMPTY
            : McpTransportContext.create(Map.of(CALLER, caller));
    Context values = Context.of(McpTransportContext.KEY, context);
    String agreed = revision;
    if (agreed != null) {
      values = values.put(McpAsyncClient.NEGOTIATED_PROTOCOL_VERSION, agreed);
    }
    CompletableFuture<@Nullable Void> sent = new CompletableFuture<>();
    transport
        .sendMessage(message)
        .contextWrite(values)
        .subscribe(nothing -> {}, failure -> failed(sent, failure), () -> done(sent));
    return sent;
  }

  private void done(CompletableFuture<@Nullable Void> sent) {
    if (oauth != null) {
      oauth.accepted();
    }
    sent.complete(null);
  }

  private void failed(CompletableFuture<@Nullable Void> sent, Throwable failure) {
    sent.completeExceptionally(failure);
    // Without a token nothing else will go through either.
    boolean useless = failure instanceof OAuthException known && !known.isInsufficientScope();
    Receiver receiver = told;
    if (useless && receiver != null && over.compareAndSet(false, true)) {
      receiver.lost(failure);
    }
  }

  @Override
  public void negotiated(String agreed) {
    revision = agreed;
  }

  @Override
  public CompletableFuture<@Nullable Void> close() {
    over.set(true);
    CompletableFuture<@Nullable Void> closed = new CompletableFuture<>();
    transport
        .closeGracefully()
        .subscribe(nothing -> {}, failure -> closed.complete(null), () -> closed.complete(null));
    return closed;
  }
}
