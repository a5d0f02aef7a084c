package dev.toolcrib.mcp;

import dev.toolcrib.Caller;
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

  HttpHeaders(Map<String, String> headers, @Nullable BearerTokens tokens) {
    this.headers = headers;
    this.tokens = tokens;
  }

  @Override
  public Mono<HttpRequest.Builder> customize(
      HttpRequest.Builder request,
      String method,
      URI endpoint,
      @Nullable String body,
      McpTransportContext context) {
    return Mono.fromSupplier(() -> with(request, (Caller) context.get(HttpWire.CALLER)));
  }

  private HttpRequest.Builder with(HttpRequest.Builder request, @Nullable Caller caller) {
    headers.forEach(request::setHeader);
    String token = tokens == null ? null : tokens.token(caller);
    return token == null ? request : request.setHeader("Authorization", "Bearer " + token);
  }
}
