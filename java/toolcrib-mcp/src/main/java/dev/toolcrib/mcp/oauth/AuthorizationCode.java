package dev.toolcrib.mcp.oauth;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One authorization by somebody with a browser, with PKCE by SHA-256. */
final class AuthorizationCode implements AutoCloseable {

  private static final SecureRandom RANDOM = new SecureRandom();

  private final AuthorizationServer server;
  private final String clientId;
  private final String verifier = random();
  private final String state = random();
  private final LoopbackCallback callback;

  private AuthorizationCode(AuthorizationServer server, OAuthConfig config, JsonHttp http) {
    this.server = server;
    callback = new LoopbackCallback(state, config.callbackPort());
    String known = config.clientId();
    try {
      clientId = known == null ? register(http) : known;
    } catch (RuntimeException e) {
      callback.close();
      throw e;
    }
  }

  /** Starts to listen for the browser; to be closed. */
  static AuthorizationCode start(AuthorizationServer server, OAuthConfig config, JsonHttp http) {
    if (server.authorizationEndpoint() == null || !server.s256()) {
      throw new OAuthException(
          "the authorization server %s does not say that it has authorization codes with PKCE S256"
              .formatted(server.issuer()));
    }
    return new AuthorizationCode(server, config, http);
  }

  /** Registers the service for this one authorization, whose redirect has its own port. */
  private String register(JsonHttp http) {
    URI endpoint = server.registrationEndpoint();
    if (endpoint == null) {
      throw new OAuthException(
          "the authorization server %s registers no clients; set oauth.clientId"
              .formatted(server.issuer()));
    }
    JsonHttp.Answer answer =
        http.json(
            endpoint,
            Map.of(
                "client_name", "Toolcrib",
                "redirect_uris", List.of(callback.address()),
                "grant_types", List.of("authorization_code", "refresh_token"),
                "response_types", List.of("code"),
                "token_endpoint_auth_method", "none"));
    String id = answer.text("client_id");
    if (answer.status() / 100 != 2 || id == null) {
      throw new OAuthException(
          "the authorization server %s did not register a client: status %s"
              .formatted(server.issuer(), answer.status()));
    }
    return id;
  }

  String clientId() {
    return clientId;
  }

  String redirect() {
    return callback.address();
  }

  String verifier() {
    return verifier;
  }

  /** Where somebody agrees. */
  URI address(String resource, List<String> scopes) {
    Map<String, String> query = new LinkedHashMap<>();
    query.put("response_type", "code");
    query.put("client_id", clientId);
    query.put("redirect_uri", redirect());
    query.put("code_challenge", challenge(verifier));
    query.put("code_challenge_method", "S256");
    query.put("state", state);
    query.put("resource", resource);
    if (!scopes.isEmpty()) {
      query.put("scope", String.join(" ", scopes));
    }
    URI endpoint = java.util.Objects.requireNonNull(server.authorizationEndpoint());
    String separator = endpoint.getRawQuery() == null ? "?" : "&";
    return URI.create(
        endpoint
            + separator
            + query.entrySet().stream()
                .map(e -> e.getKey() + "=" + JsonHttp.encode(e.getValue()))
                .collect(Collectors.joining("&")));
  }

  /** Completes with the code, if the browser comes back with one in time. */
  CompletableFuture<String> code(java.time.Duration timeout) {
    return callback
        .answer()
        .copy()
        .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
        .handle(
            (parameters, failure) -> {
              if (failure != null) {
                throw new OAuthException(
                    "nobody authorized it within %s s".formatted(timeout.toSeconds()));
              }
              return code(parameters);
            });
  }

  private String code(Map<String, String> parameters) {
    String issuer = parameters.get("iss");
    if (issuer == null ? server.namesItself() : !Addresses.sameIssuer(issuer, server.issuer())) {
      throw new OAuthException("the answer to the authorization is not of " + server.issuer());
    }
    @Nullable String code = parameters.get("code");
    if (code == null || code.isEmpty()) {
      String error = parameters.getOrDefault("error", "no code");
      throw new OAuthException(
          "it was not authorized: " + (error.matches("[a-z_]{1,64}") ? error : "no code"));
    }
    return code;
  }

  private static String random() {
    byte[] bytes = new byte[32];
    RANDOM.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String challenge(String verifier) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    callback.close();
  }
}
