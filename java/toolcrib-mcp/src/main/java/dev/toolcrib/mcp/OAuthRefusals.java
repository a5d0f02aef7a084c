package dev.toolcrib.mcp;

import dev.toolcrib.mcp.oauth.OAuthClient;
import io.modelcontextprotocol.client.transport.HttpRequestSnapshot;
import io.modelcontextprotocol.client.transport.customizer.McpHttpClientTransportAuthorizationErrorHandler;
import io.modelcontextprotocol.common.McpTransportContext;
import java.net.http.HttpResponse.ResponseInfo;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** Gets another token where a server answers 401 or 403, and lets the request be sent once more. */
final class OAuthRefusals implements McpHttpClientTransportAuthorizationErrorHandler {

  static final String BEARER = "Bearer ";

  private final OAuthClient oauth;

  OAuthRefusals(OAuthClient oauth) {
    this.oauth = oauth;
  }

  @Override
  public Publisher<Boolean> handle(
      HttpRequestSnapshot request, ResponseInfo response, McpTransportContext context) {
    @Nullable String used =
        request
            .headers()
            .firstValue("Authorization")
            .filter(value -> value.startsWith(BEARER))
            .map(value -> value.substring(BEARER.length()))
            .orElse(null);
    return Mono.fromFuture(
        () ->
            oauth.refused(
                response.statusCode(), response.headers().allValues("WWW-Authenticate"), used));
  }

  /** One for a request without a token, one for a token that had expired, and the last word. */
  @Override
  public int maxRetries() {
    return 3;
  }
}
