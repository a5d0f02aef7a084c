package dev.toolcrib.mcp;

import dev.toolcrib.Caller;
import dev.toolcrib.mcp.McpFailure.Kind;
import dev.toolcrib.mcp.oauth.OAuthClient;
import dev.toolcrib.mcp.oauth.OAuthException;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.transport.McpHttpClientTransportAuthorizationException;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpTransportSessionClosedException;
import io.modelcontextprotocol.spec.McpTransportSessionNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;

/** A server that is reached through a transport of the SDK. */
final class HttpWire implements Wire {

  /** Under which the transport context has the caller of a request. */
  static final String CALLER = "dev.toolcrib.caller";

  private static final long AFTER_REQUEST_MILLIS = 50;

  private final McpClientTransport transport;
  private final AtomicBoolean over = new AtomicBoolean();
  private volatile @Nullable String revision;

  private final @Nullable OAuthClient oauth;
  private final boolean owned;
  private volatile @Nullable Caller owner;
  private volatile @Nullable Receiver told;

  /**
   * A wire over a transport.
   *
   * @param oauth what is told whether tokens are taken; null if it has none
   * @param owner whose wire it is, and who is said to send what is nobody's; null for nobody
   */
  HttpWire(McpClientTransport transport, @Nullable OAuthClient oauth, @Nullable Caller owner) {
    this.transport = transport;
    this.oauth = oauth;
    this.owner = owner;
    owned = owner != null;
  }

  @Override
  public void open(Receiver receiver) {
    told = receiver;
    transport.setExceptionHandler(
        failure -> {
          // Of all that can go wrong with one request only this means that the session is over. The
          // transport tells of it before it tells the request, which was not taken for certain.
          if (failure instanceof McpTransportSessionNotFoundException) {
            CompletableFuture.delayedExecutor(AFTER_REQUEST_MILLIS, TimeUnit.MILLISECONDS)
                .execute(() -> lost(receiver, failure));
          }
        });
    transport
        .connect(incoming -> incoming.doOnNext(receiver::received))
        .subscribe(nothing -> {}, failure -> lost(receiver, failure));
  }

  private void lost(Receiver receiver, Throwable failure) {
    if (over.compareAndSet(false, true)) {
      receiver.lost(failure);
    }
  }

  @Override
  public CompletableFuture<@Nullable Void> send(JSONRPCMessage message, @Nullable Caller caller) {
    if (owned && caller != null) {
      // The same user, perhaps with a newer token.
      owner = caller;
    }
    CompletableFuture<@Nullable Void> sent = new CompletableFuture<>();
    transport
        .sendMessage(message)
        .contextWrite(context(caller == null ? owner : caller))
        .subscribe(nothing -> {}, failure -> failed(sent, failure), () -> done(sent));
    return sent;
  }

  private Context context(@Nullable Caller caller) {
    McpTransportContext context =
        caller == null
            ? McpTransportContext.EMPTY
            : McpTransportContext.create(Map.of(CALLER, caller));
    Context values = Context.of(McpTransportContext.KEY, context);
    String agreed = revision;
    return agreed == null ? values : values.put(McpAsyncClient.NEGOTIATED_PROTOCOL_VERSION, agreed);
  }

  private void done(CompletableFuture<@Nullable Void> sent) {
    if (oauth != null) {
      oauth.accepted();
    }
    sent.complete(null);
  }

  private void failed(CompletableFuture<@Nullable Void> sent, Throwable failure) {
    sent.completeExceptionally(told(failure));
    // Without a session or a token nothing else will go through either.
    boolean useless =
        failure instanceof McpTransportSessionNotFoundException
            || (failure instanceof OAuthException known && !known.isInsufficientScope());
    Receiver receiver = told;
    if (useless && receiver != null) {
      lost(receiver, failure);
    }
  }

  /** The failure, unless the server can have taken the message all the same. */
  private static Throwable told(Throwable failure) {
    boolean notTaken =
        failure instanceof ConnectException
            || failure instanceof HttpConnectTimeoutException
            || failure instanceof McpTransportSessionNotFoundException
            || failure instanceof McpTransportSessionClosedException
            || failure instanceof McpHttpClientTransportAuthorizationException
            || failure instanceof OAuthException
            || failure instanceof McpFailure;
    if (notTaken) {
      return failure;
    }
    return failure instanceof IOException
        ? new McpFailure(Kind.LOST, "the server was gone before it answered", failure)
        : new McpFailure(
            Kind.NONSENSE,
            "the answer cannot be used: " + Connection.cut(Connection.words(failure)),
            failure);
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
        .contextWrite(context(owner))
        .subscribe(nothing -> {}, failure -> closed.complete(null), () -> closed.complete(null));
    return closed;
  }
}
