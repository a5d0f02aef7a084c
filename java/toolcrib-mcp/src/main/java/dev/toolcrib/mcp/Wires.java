package dev.toolcrib.mcp;

import dev.toolcrib.Caller;
import dev.toolcrib.mcp.McpServerConfig.Http;
import dev.toolcrib.mcp.McpServerConfig.Stdio;
import dev.toolcrib.mcp.oauth.OAuthClient;
import dev.toolcrib.mcp.oauth.OAuthConfig;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpClientTransport;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes the wires to servers, as they are configured and as code says otherwise. */
final class Wires {

  private final Variables variables;
  private final Map<String, BearerTokens> tokens;
  private final Map<String, Supplier<McpClientTransport>> transports;
  private final Duration connectTimeout;
  private final int maxMessageBytes;
  private final SharedHttpClient client;

  Wires(
      Variables variables,
      Map<String, BearerTokens> tokens,
      Map<String, Supplier<McpClientTransport>> transports,
      Duration connectTimeout,
      int maxMessageBytes) {
    this.variables = variables;
    this.tokens = Map.copyOf(tokens);
    this.transports = Map.copyOf(transports);
    this.connectTimeout = connectTimeout;
    this.maxMessageBytes = maxMessageBytes;
    client = new SharedHttpClient(connectTimeout);
  }

  /** Whether a server is told by its configuration how it is asked for tokens. */
  boolean usesOAuth(McpServerConfig config) {
    boolean replaced = tokens.containsKey(config.name()) || isReplaced(config);
    return !replaced && config.endpoint() instanceof Http http && http.oauth() != null;
  }

  /** Whether each caller comes to a server with a token of its own. */
  boolean knowsCallers(McpServerConfig config) {
    return !isReplaced(config)
        && config.endpoint() instanceof Http
        && tokens.containsKey(config.name());
  }

  private boolean isReplaced(McpServerConfig config) {
    return transports.containsKey(config.name());
  }

  /** The client's secret with its variables expanded, if it has one. */
  @Nullable String secret(@Nullable OAuthConfig config) {
    String secret = config == null ? null : config.clientSecret();
    return secret == null
        ? null
        : variables.expand("oauth", Map.of("clientSecret", secret)).get("clientSecret");
  }

  /**
   * A new wire.
   *
   * @param oauth where its tokens come from; null if not from there
   * @param owner whose connection it is; null if it is everybody's
   */
  Wire wire(McpServerConfig config, @Nullable OAuthClient oauth, @Nullable Caller owner) {
    Supplier<McpClientTransport> own = transports.get(config.name());
    if (own != null) {
      return new HttpWire(own.get(), null, owner);
    }
    if (config.endpoint() instanceof Stdio stdio) {
      Map<String, String> environment = variables.expand("env", stdio.environment());
      return new StdioWire(config.name(), stdio, environment, Json.MCP, maxMessageBytes);
    }
    Http http = (Http) config.endpoint();
    Map<String, String> headers = variables.expand("headers", http.headers());
    // A variable that is missing is told before anything is asked for.
    var unused = secret(http.oauth());
    HttpHeaders customizer = new HttpHeaders(headers, tokens.get(config.name()), oauth);
    // The whole address is the endpoint; the SDK would put /mcp behind a base otherwise.
    HttpClientStreamableHttpTransport.Builder transport =
        HttpClientStreamableHttpTransport.builder(http.url().toString())
            .endpoint(http.url().toString())
            .jsonMapper(Json.MCP)
            .clientBuilder(client)
            .connectTimeout(connectTimeout)
            .maxResponseSize(maxMessageBytes)
            .addAsyncHttpRequestCustomizer(customizer);
    if (oauth != null) {
      transport.authorizationErrorHandler(new OAuthRefusals(oauth));
    }
    return new HttpWire(transport.build(), oauth, owner);
  }
}
