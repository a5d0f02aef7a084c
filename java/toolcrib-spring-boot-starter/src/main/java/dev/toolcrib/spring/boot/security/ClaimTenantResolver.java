package dev.toolcrib.spring.boot.security;

import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.ClaimAccessor;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;

/**
 * The tenant that a claim of the token names: of a JWT, an ID token, or an introspected token. A
 * claim that is missing, or not text, names none.
 */
public final class ClaimTenantResolver implements TenantResolver {

  private final String claim;

  /**
   * Reads one claim.
   *
   * @param claim its name
   */
  public ClaimTenantResolver(String claim) {
    this.claim = claim;
  }

  @Override
  public @Nullable String tenantOf(Authentication authentication) {
    Object principal = authentication.getPrincipal();
    Object value = null;
    if (principal instanceof ClaimAccessor token) {
      value = token.getClaims().get(claim);
    } else if (principal instanceof OAuth2AuthenticatedPrincipal user) {
      value = user.getAttributes().get(claim);
    }
    // Not converted to text: a list of tenants must not become the name of one.
    return value instanceof String tenant ? tenant : null;
  }
}
