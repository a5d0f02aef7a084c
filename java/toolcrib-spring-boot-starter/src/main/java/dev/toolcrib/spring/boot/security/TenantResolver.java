package dev.toolcrib.spring.boot.security;

import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;

/** Tells the tenant of whoever was authenticated. A bean of this type replaces the properties. */
@FunctionalInterface
public interface TenantResolver {

  /**
   * The tenant.
   *
   * @param authentication an authentication that is not anonymous
   * @return the tenant; null or blank denies everything
   */
  @Nullable String tenantOf(Authentication authentication);
}
