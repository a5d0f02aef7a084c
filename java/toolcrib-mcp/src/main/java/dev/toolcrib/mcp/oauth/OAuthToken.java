package dev.toolcrib.mcp.oauth;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An access token and what is needed to refresh it. Both tokens are secret; {@link #toString} has
 * neither.
 *
 * @param accessToken what the MCP server is sent
 * @param refreshToken what the authorization server is sent for a new one; null if it gave none
 * @param expiresAt until when the access token is good; null if that was not said
 * @param issuer the authorization server that gave it
 * @param clientId the client that it was given to
 * @param resource what it is for
 * @param scope its scopes, separated by spaces; null if they were not said
 */
public record OAuthToken(
    String accessToken,
    @Nullable String refreshToken,
    @Nullable Instant expiresAt,
    String issuer,
    String clientId,
    String resource,
    @Nullable String scope) {

  boolean expiresWithin(Duration time, Instant now) {
    return expiresAt != null && !now.plus(time).isBefore(expiresAt);
  }

  @Override
  public String toString() {
    return "OAuthToken[of %s for %s, scope %s, until %s]"
        .formatted(issuer, resource, scope, expiresAt);
  }
}
