package dev.toolcrib.mcp.oauth;

import dev.toolcrib.mcp.oauth.JsonHttp.Answer;
import dev.toolcrib.mcp.oauth.OAuthException.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Asks an authorization server for a token.
 *
 * @param server the authorization server
 * @param resource what the token is for
 * @param clientId who asks
 * @param clientSecret who asks; null for a public client
 */
record TokenRequest(
    AuthorizationServer server, String resource, String clientId, @Nullable String clientSecret) {

  /** What may stand in a header; anything else in a token would be a forged header. */
  private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7E]{1,16384}");

  private static final Pattern ERROR = Pattern.compile("[a-z_]{1,64}");
  private static final long LONGEST_SECONDS = 366L * 24 * 3_600;

  OAuthToken clientCredentials(List<String> scopes, JsonHttp http, Clock clock) {
    Map<String, String> fields = fields("client_credentials");
    if (!scopes.isEmpty()) {
      fields.put("scope", String.join(" ", scopes));
    }
    return send(fields, null, http, clock);
  }

  OAuthToken code(String code, String redirect, String verifier, JsonHttp http, Clock clock) {
    Map<String, String> fields = fields("authorization_code");
    fields.put("code", code);
    fields.put("redirect_uri", redirect);
    fields.put("code_verifier", verifier);
    return send(fields, null, http, clock);
  }

  OAuthToken refresh(String refreshToken, JsonHttp http, Clock clock) {
    Map<String, String> fields = fields("refresh_token");
    fields.put("refresh_token", refreshToken);
    return send(fields, refreshToken, http, clock);
  }

  private Map<String, String> fields(String grant) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("grant_type", grant);
    fields.put("resource", resource);
    return fields;
  }

  private OAuthToken send(
      Map<String, String> fields, @Nullable String formerRefresh, JsonHttp http, Clock clock) {
    String authorization = null;
    List<String> known = server.authentication();
    if (clientSecret == null) {
      fields.put("client_id", clientId);
    } else if (known.isEmpty() || known.contains("client_secret_basic")) {
      String pair = JsonHttp.encode(clientId) + ":" + JsonHttp.encode(clientSecret);
      authorization =
          "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    } else if (known.contains("client_secret_post")) {
      fields.put("client_id", clientId);
      fields.put("client_secret", clientSecret);
    } else {
      throw new OAuthException(
          "the authorization server %s takes no client secret".formatted(server.issuer()));
    }
    Instant before = clock.instant();
    Answer answer = http.form(server.tokenEndpoint(), fields, authorization);
    String token = answer.text("access_token");
    if (answer.status() != 200) {
      throw refusal(answer, String.valueOf(fields.get("grant_type")));
    }
    if (token == null
        || !TOKEN.matcher(token).matches()
        || !"bearer".equalsIgnoreCase(answer.text("token_type"))) {
      throw new OAuthException(
          "the authorization server %s gave something that is no bearer token"
              .formatted(server.issuer()));
    }
    String refresh = answer.text("refresh_token");
    return new OAuthToken(
        token,
        refresh == null ? formerRefresh : refresh,
        expiry(answer.json().path("expires_in"), before),
        server.issuer(),
        clientId,
        resource,
        answer.text("scope"));
  }

  private OAuthException refusal(Answer answer, String grant) {
    // The description may repeat what was sent, so only the code is told.
    String code = answer.text("error");
    String why = code != null && ERROR.matcher(code).matches() ? code : "status " + answer.status();
    // A client that registered itself may have been forgotten.
    boolean gone =
        why.equals("invalid_grant") || (clientSecret == null && why.equals("invalid_client"));
    return new OAuthException(
        "the authorization server %s gave no token for %s: %s"
            .formatted(server.issuer(), grant, why),
        gone ? Kind.INVALID_GRANT : Kind.GENERAL);
  }

  private static @Nullable Instant expiry(JsonNode seconds, Instant since) {
    // Some servers write the number as a text.
    long value = seconds.asLong(-1);
    return value < 0 ? null : since.plusSeconds(Math.min(value, LONGEST_SECONDS));
  }

  @Override
  public String toString() {
    return "TokenRequest[%s for %s at %s]".formatted(clientId, resource, server.issuer());
  }
}
