package dev.toolcrib.spring.boot.autoconfigure;

import dev.toolcrib.spring.boot.security.AuthenticationCallers;
import dev.toolcrib.spring.boot.security.ClaimTenantResolver;
import dev.toolcrib.spring.boot.security.TenantResolver;
import dev.toolcrib.spring.boot.web.CallerResolver;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/** Callers out of Spring Security's authentications. */
@AutoConfiguration(after = ToolcribAutoConfiguration.class)
@ConditionalOnClass(Authentication.class)
@EnableConfigurationProperties(ToolcribProperties.class)
public final class ToolcribSecurityAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  TenantResolver tenantResolver(ToolcribProperties properties) {
    ToolcribProperties.Caller caller = properties.caller();
    String claim = caller.tenantClaim();
    String tenant = caller.tenant();
    if (claim != null && tenant != null) {
      throw new IllegalStateException(
          "toolcrib.caller.tenant and toolcrib.caller.tenant-claim exclude each other");
    }
    // Its class is needed only here: claims come with spring-security-oauth2-core.
    return claim != null ? new ClaimTenantResolver(claim) : authentication -> tenant;
  }

  @Bean
  @ConditionalOnMissingBean
  AuthenticationCallers authenticationCallers(TenantResolver tenants) {
    return new AuthenticationCallers(tenants);
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  static class ServletConfiguration {

    @Bean
    @ConditionalOnMissingBean
    CallerResolver callerResolver(AuthenticationCallers callers) {
      return request -> callers.callerOf(SecurityContextHolder.getContext().getAuthentication());
    }
  }
}
