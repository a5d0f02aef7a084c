package dev.toolcrib.mcp.oauth;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How this service gets tokens for one MCP server.
 *
 * @param grant how it asks for them
 * @param clientId its identifier at the authorization server; null registers it there for each
 *     authorization, as RFC 7591 says, which only {@link Grant#AUTHORIZATION_CODE} can
 * @param clientSecret its secret there; {@code $NAME} and <code>${NAME}</code> stand for variables
 *     of this process; null for a public client
 * @param scopes what it asks for; none asks for what the MCP server's challenge or else its
 *     metadata name
 * @param issuer the authorization server. It may be null only if that is at the MCP server's own
 *     address or the client has no identifier: which server gets the client's credentials is not
 *     for the MCP server to say
 * @param callbackPort the port on 127.0.0.1 that the browser is sent back to; 0 for any free one
 * @param authorizationTimeout how long the browser may take to come back, positive
 */
public record OAuthConfig(
    Grant grant,
    @Nullable String clientId,
    @Nullable String clientSecret,
    List<String> scopes,
    @Nullable URI issuer,
    int callbackPort,
    Duration authorizationTimeout) {

  /** How long the browser may take to come back, unless set. */
  public static final Duration DEFAULT_AUTHORIZATION_TIMEOUT = Duration.ofMinutes(5);

  /** What RFC 6749 lets a scope be. */
  static final Pattern SCOPE = Pattern.compile("[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,256}");

  /** How tokens are asked for. */
  public enum Grant {
    /** With the client's own credentials. */
    CLIENT_CREDENTIALS,
    /** By somebody who agrees in a browser on this machine. */
    AUTHORIZATION_CODE;

    /** The name in configurations and in OAuth itself. */
    public String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Checks that the parts go together. */
  public OAuthConfig {
    requireNonNull(grant, "grant");
    if (grant == Grant.CLIENT_CREDENTIALS && (clientId == null || clientSecret == null)) {
      throw new IllegalArgumentException("client_credentials needs clientId and clientSecret");
    }
    if (clientId == null && clientSecret != null) {
      throw new IllegalArgumentException("clientSecret needs clientId");
    }
    if (clientId != null && clientId.isBlank()) {
      throw new IllegalArgumentException("clientId is blank");
    }
    if (issuer != null && (issuer.getScheme() == null || issuer.getHost() == null)) {
      throw new IllegalArgumentException("issuer is no address");
    }
    if (callbackPort < 0 || callbackPort > 65_535) {
      throw new IllegalArgumentException("callbackPort is none of 0 to 65535");
    }
    if (authorizationTimeout.isNegative() || authorizationTimeout.isZero()) {
      throw new IllegalArgumentException("authorizationTimeout is not positive");
    }
    for (String scope : scopes) {
      if (!SCOPE.matcher(scope).matches()) {
        throw new IllegalArgumentException("one of scopes has a character that no scope may have");
      }
    }
    scopes = List.copyOf(scopes);
  }

  /**
   * Checks that tokens can be sent to an MCP server without being read on the way.
   *
   * @param url its address
   * @throws IllegalArgumentException if it is neither https nor on this machine, or names a user
   */
  public void checkAddress(URI url) {
    if (!Addresses.isSafe(url)) {
      throw new IllegalArgumentException("needs a server with an https address");
    }
    if (url.getRawUserInfo() != null) {
      throw new IllegalArgumentException("needs a server with an address without a user");
    }
  }

  /**
   * Tokens for the service itself.
   *
   * @param clientId its identifier at the authorization server
   * @param clientSecret its secret there
   * @return a configuration with all else as it is unless set
   */
  public static OAuthConfig clientCredentials(String clientId, String clientSecret) {
    return new OAuthConfig(
        Grant.CLIENT_CREDENTIALS,
        clientId,
        clientSecret,
        List.of(),
        null,
        0,
        DEFAULT_AUTHORIZATION_TIMEOUT);
  }

  /**
   * Tokens that somebody agrees to in a browser.
   *
   * @param clientId the service's identifier at the authorization server; null registers it
   * @return a configuration with all else as it is unless set
   */
  public static OAuthConfig authorizationCode(@Nullable String clientId) {
    return new OAuthConfig(
        Grant.AUTHORIZATION_CODE,
        clientId,
        null,
        List.of(),
        null,
        0,
        DEFAULT_AUTHORIZATION_TIMEOUT);
  }

  /**
   * This configuration for one authorization server.
   *
   * @param value its issuer
   * @return a new configuration
   */
  public OAuthConfig withIssuer(URI value) {
    return new OAuthConfig(
        grant, clientId, clientSecret, scopes, value, callbackPort, authorizationTimeout);
  }

  /**
   * This configuration with scopes.
   *
   * @param values what to ask for
   * @return a new configuration
   */
  public OAuthConfig withScopes(String... values) {
    return new OAuthConfig(
        grant, clientId, clientSecret, List.of(values), issuer, callbackPort, authorizationTimeout);
  }

  /**
   * This configuration with another wait for the browser.
   *
   * @param value how long it may take to come back
   * @return a new configuration
   */
  public OAuthConfig withAuthorizationTimeout(Duration value) {
    return new OAuthConfig(grant, clientId, clientSecret, scopes, issuer, callbackPort, value);
  }

  @Override
  public String toString() {
    return "OAuthConfig[%s, clientId %s, scopes %s, issuer %s]"
        .formatted(grant.key(), clientId, scopes, issuer);
  }
}
