package dev.toolcrib.spring.boot.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.toolcrib.Caller;
import dev.toolcrib.spring.boot.CallerDeniedException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.oauth2.core.DefaultOAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;

class AuthenticationCallersTest {

  private static final Authentication ANN =
      UsernamePasswordAuthenticationToken.authenticated(
          "ann", null, AuthorityUtils.createAuthorityList("ROLE_CLERK", "SCOPE_tools"));

  @Test
  void userRolesAndTenantComeFromTheAuthentication() {
    Caller caller = new AuthenticationCallers(authentication -> "acme").callerOf(ANN);
    assertThat(caller)
        .isEqualTo(new Caller("acme", "ann", Set.of("ROLE_CLERK", "SCOPE_tools"), Map.of()));
  }

  @Test
  void whoWasNotAuthenticatedIsNobody() {
    AuthenticationCallers callers = new AuthenticationCallers(authentication -> "acme");
    assertThat(callers.callerOf(null)).isNull();
    assertThat(
            callers.callerOf(
                new AnonymousAuthenticationToken(
                    "key", "anonymous", AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS"))))
        .isNull();
    assertThat(callers.callerOf(new TestingAuthenticationToken("ann", "password"))).isNull();
  }

  @Test
  void withoutTenantTheCallerIsDenied() {
    assertDenied(authentication -> null, ANN);
    assertDenied(authentication -> " ", ANN);
  }

  @Test
  void withoutUserTheCallerIsDenied() {
    assertDenied(
        authentication -> "acme",
        UsernamePasswordAuthenticationToken.authenticated(" ", null, List.of()));
  }

  @Test
  void aClaimNamesTheTenant() {
    assertThat(tenantOf(Map.of("org", "acme"))).isEqualTo("acme");
  }

  @Test
  void aClaimThatIsMissingOrNotTextNamesNoTenant() {
    assertThat(tenantOf(Map.of("other", "acme"))).isNull();
    assertThat(tenantOf(Map.of("org", List.of("acme")))).isNull();
    assertThat(tenantOf(Map.of("org", 7))).isNull();
  }

  @Test
  void anAttributeOfAnIntrospectedTokenNamesTheTenant() {
    var principal =
        new DefaultOAuth2AuthenticatedPrincipal("ann", Map.of("org", "acme"), List.of());
    var authentication =
        UsernamePasswordAuthenticationToken.authenticated(principal, null, List.of());
    assertThat(new ClaimTenantResolver("org").tenantOf(authentication)).isEqualTo("acme");
  }

  @Test
  void aPrincipalWithoutClaimsHasNoTenant() {
    assertThat(new ClaimTenantResolver("org").tenantOf(ANN)).isNull();
  }

  private static String tenantOf(Map<String, Object> claims) {
    Jwt.Builder token = Jwt.withTokenValue("token").header("alg", "none").subject("ann");
    claims.forEach(token::claim);
    return new ClaimTenantResolver("org").tenantOf(new JwtAuthenticationToken(token.build()));
  }

  private static void assertDenied(TenantResolver tenants, Authentication authentication) {
    assertThatExceptionOfType(CallerDeniedException.class)
        .isThrownBy(() -> new AuthenticationCallers(tenants).callerOf(authentication));
  }
}
