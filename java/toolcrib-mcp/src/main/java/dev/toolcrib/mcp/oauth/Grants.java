package dev.toolcrib.mcp.oauth;

import java.net.URI;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which authorization server is asked for what, for one MCP server. Blocks, and keeps nothing but
 * what was found out last.
 */
final class Grants {

  private static final int MOST_SCOPES = 100;

  private final URI url;
  private final OAuthConfig config;
  private final Supplier<@Nullable String> secret;
  private final JsonHttp http;
  private final Clock clock;
  private volatile @Nullable AuthorizationServer last;
  private volatile @Nullable Found lastFound;

  Grants(
      URI url, OAuthConfig config, Supplier<@Nullable String> secret, JsonHttp http, Clock clock) {
    this.url = url;
    this.config = config;
    this.secret = secret;
    this.http = http;
    this.clock = clock;
  }

  /**
   * What was found out for one authorization.
   *
   * @param resource what the token is for
   * @param scopes what is asked for; none leaves it to the authorization server
   */
  record Found(AuthorizationServer server, String resource, List<String> scopes) {}

  Found find(Challenge challenge) {
    ProtectedResource resource =
        ProtectedResource.find(url, challenge.get("resource_metadata"), http);
    String issuer = issuer(resource);
    checkIssuer(issuer);
    AuthorizationServer server = AuthorizationServer.find(issuer, url, http);
    Found found =
        new Found(
            server,
            resource == null ? url.toString() : resource.resource(),
            scopes(challenge, resource));
    last = server;
    lastFound = found;
    return found;
  }

  private String issuer(@Nullable ProtectedResource resource) {
    URI configured = config.issuer();
    List<String> named = resource == null ? List.of() : resource.authorizationServers();
    if (named.isEmpty()) {
      if (configured == null) {
        throw new OAuthException(
            "the server does not say which authorization server it trusts; set oauth.issuer");
      }
      return configured.toString();
    }
    if (configured == null) {
      return named.get(0);
    }
    return named.stream()
        .filter(issuer -> Addresses.sameIssuer(issuer, configured.toString()))
        .findFirst()
        .orElseThrow(
            () ->
                new OAuthException(
                    "the server does not take tokens of the configured issuer " + configured));
  }

  /** Keeps the client's credentials from authorization servers that only the MCP server names. */
  private void checkIssuer(String issuer) {
    URI address = Addresses.named(issuer, "issuer", url);
    URI configured = config.issuer();
    if (configured != null && !Addresses.sameIssuer(issuer, configured.toString())) {
      throw new OAuthException("a token of %s is not of the configured issuer".formatted(issuer));
    }
    if (configured == null && config.clientId() != null && !Addresses.sameOrigin(address, url)) {
      throw new OAuthException(
          "the server names the authorization server %s; if the client is known there, set"
                  .formatted(issuer)
              + " oauth.issuer to it");
    }
  }

  private List<String> scopes(Challenge challenge, @Nullable ProtectedResource resource) {
    if (!config.scopes().isEmpty()) {
      return config.scopes();
    }
    String challenged = challenge.get("scope");
    List<String> scopes =
        challenged != null
            ? Arrays.asList(challenged.split(" +"))
            : resource == null ? List.of() : resource.scopes();
    return scopes.stream()
        .filter(scope -> OAuthConfig.SCOPE.matcher(scope).matches())
        .limit(MOST_SCOPES)
        .toList();
  }

  OAuthToken clientCredentials(Found found) {
    return request(found.server(), found.resource(), String.valueOf(config.clientId()))
        .clientCredentials(found.scopes(), http, clock);
  }

  /** The same as the last time, without a challenge to begin from; null if there was none. */
  @Nullable OAuthToken clientCredentialsAgain() {
    Found found = lastFound;
    return found == null ? null : clientCredentials(found);
  }

  AuthorizationCode authorization(Found found) {
    return AuthorizationCode.start(found.server(), config, http);
  }

  OAuthToken exchange(Found found, AuthorizationCode authorization, String code) {
    return request(found.server(), found.resource(), authorization.clientId())
        .code(code, authorization.redirect(), authorization.verifier(), http, clock);
  }

  /**
   * A new token for one that has a refresh token.
   *
   * @return null if there is none, or the authorization server does not take it any more
   */
  @Nullable OAuthToken refresh(OAuthToken token) {
    String refresh = token.refreshToken();
    if (refresh == null) {
      return null;
    }
    checkIssuer(token.issuer());
    AuthorizationServer server = last;
    if (server == null || !server.issuer().equals(token.issuer())) {
      server = AuthorizationServer.find(token.issuer(), url, http);
      last = server;
    }
    try {
      return request(server, token.resource(), token.clientId()).refresh(refresh, http, clock);
    } catch (OAuthException e) {
      if (e.isInvalidGrant()) {
        return null;
      }
      throw e;
    }
  }

  private TokenRequest request(AuthorizationServer server, String resource, String clientId) {
    String own = clientId.equals(config.clientId()) ? secret.get() : null;
    return new TokenRequest(server, resource, clientId, own);
  }

  /** Whether a stored token was given for what is configured now. */
  boolean fits(OAuthToken token) {
    URI issuer = config.issuer();
    return (issuer == null || Addresses.sameIssuer(issuer.toString(), token.issuer()))
        && (config.clientId() == null || token.clientId().equals(config.clientId()));
  }
}
