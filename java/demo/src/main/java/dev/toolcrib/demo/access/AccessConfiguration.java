package dev.toolcrib.demo.access;

import dev.toolcrib.ToolAuthorizer;
import dev.toolcrib.spring.boot.security.TenantResolver;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Who may do what: three links of authorizers, and users that log in by HTTP Basic.
 *
 * <p><b>For the demo only.</b> The users stand in the source code and share one plain password. A
 * real service takes its users from its identity provider and nothing of this class but the chain.
 */
@Configuration(proxyBeanMethods = false)
public class AccessConfiguration {

  @Bean
  @Order(1)
  ToolAuthorizer tenantRights() {
    return caller -> Tenant.licensed(caller.tenant());
  }

  @Bean
  @Order(2)
  ToolAuthorizer roleRights() {
    return new RoleRights();
  }

  @Bean
  @Order(3)
  BusinessConfiguration businessConfiguration() {
    return new BusinessConfiguration();
  }

  @Bean
  TenantResolver tenantResolver() {
    return authentication ->
        DemoUser.ALL.stream()
            .filter(user -> user.login().equals(authentication.getName()))
            .map(user -> user.tenant().id())
            .findFirst()
            .orElse(null);
  }

  @Bean
  UserDetailsService demoUsers() {
    return new InMemoryUserDetailsManager(
        DemoUser.ALL.stream()
            .map(
                user ->
                    User.withUsername(user.login())
                        .password("{noop}" + user.password())
                        .authorities(user.roles().toArray(String[]::new))
                        .build())
            .toList());
  }

  @Bean
  SecurityFilterChain demoSecurity(HttpSecurity http) throws Exception {
    return http.authorizeHttpRequests(
            requests ->
                requests
                    .requestMatchers(HttpMethod.GET, "/", "/actuator/health/**", "/error")
                    .permitAll()
                    .anyRequest()
                    .authenticated())
        .httpBasic(Customizer.withDefaults())
        // Every request carries its own credentials and no cookie, so none can be forged.
        .csrf(csrf -> csrf.disable())
        .sessionManagement(s -> s.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .build();
  }
}
