package dev.toolcrib.spring.boot.security;

import dev.toolcrib.Caller;
import dev.toolcrib.spring.boot.CallerDeniedException;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationTrustResolver;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;

/**
 * Makes callers of authentications: the user is its name, the roles are its authorities as they are
 * ({@code ROLE_CLERK}, {@code SCOPE_tools}), the tenant is what the {@link TenantResolver} says.
 */
public final class AuthenticationCallers {

  private final AuthenticationTrustResolver trust = new AuthenticationTrustResolverImpl();
  private final TenantResolver tenants;

  /**
   * Makes callers.
   *
   * @param tenants tells the tenant
   */
  public AuthenticationCallers(TenantResolver tenants) {
    this.tenants = tenants;
  }

  /**
   * The caller that an authentication stands for.
   *
   * @param authentication the authentication, for example of the security context
   * @return the caller; null if nobody was authenticated
   * @throws CallerDeniedException if the user or the tenant cannot be told
   */
  public @Nullable Caller callerOf(@Nullable Authentication authentication) {
    if (authentication == null || !trust.isAuthenticated(authentication)) {
      return null;
    }
    String user = authentication.getName();
    if (user == null || user.isBlank()) {
      throw new CallerDeniedException("The authentication names no user.");
    }
    String tenant = tenants.tenantOf(authentication);
    if (tenant == null || tenant.isBlank()) {
      throw new CallerDeniedException("The authentication belongs to no tenant.");
    }
    return new Caller(
        tenant,
        user,
        authentication.getAuthorities().stream()
            .map(GrantedAuthority::getAuthority)
            .filter(Objects::nonNull)
            .collect(Collectors.toSet()),
        Map.of());
  }
}
