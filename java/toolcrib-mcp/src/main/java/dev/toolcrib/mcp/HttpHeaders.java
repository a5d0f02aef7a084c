package dev.toolcrib.mcp;

import dev.toolcrib.Caller;
import dev.toolcrib.mcp.McpFailure.Kind;
import dev.toolcrib.mcp.oauth.OAuthClient;
import io.modelcontextprotocol.client.transport.customizer.McpAsyncHttpClientRequestCustomizer;
import io.modelcontextprotocol.common.McpTransportContext;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Sets the headers of each request to one server, the caller's token among them. */
final class HttpHeaders implements McpAsyncHttpClientRequestCustomizer {

  private final Map<String, String> headers;
  private final @Nullable BearerTokens tokens;
  private final @Nullable OAuthClient oauth;

  HttpHeaders(
      Map<String, String> headers, @Nullable BearerTokens tokens, @Nullable OAuthClient oauth) {
    this.headers = headers;
    this.tokens = tokens;
    this.oauth = oauth;
  }

  @Override
  public Mono<HttpRequest.Builder> customize(
      HttpRequest.Builder request,
      String method,
      URI endpoint,
      @Nullable String body,
      McpTransportContext context) {
    if (oauth != null) {
      return Mono.fromFuture(() -> oauth.token().thenApply(token -> with(request, token)));
    }
    return Mono.fromSupplier(
        () -> {
          Caller caller = (Caller) context.get(HttpWire.CALLER);
          return with(request, token(caller));
        });
  }

  private @Nullable String token(@Nullable Caller caller) {
    try {
      return tokens == null ? null : tokens.token(caller);
    } catch (RuntimeException e) {
      throw new McpFailure(Kind.NOT_SENT, "there is no token: " + Connection.words(e), e);
    }
  }

  private HttpRequest.Builder with(HttpRequest.Builder request, @Nullable String token) {
    headers.forEach(request::setHeader);
    return token == null
        ? request
        : request.setHeader("Authorization", OAuthRefusals.BEARER + token);
  }
}
