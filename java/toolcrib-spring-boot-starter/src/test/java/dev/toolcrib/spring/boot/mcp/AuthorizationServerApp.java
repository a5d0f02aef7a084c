package dev.toolcrib.spring.boot.mcp;

import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPublicKey;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.oauth2.server.authorization.OAuth2AuthorizationServerConfigurer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.settings.AuthorizationServerSettings;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;
import org.springframework.security.oauth2.server.authorization.settings.TokenSettings;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenCustomizer;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** Spring Authorization Server, with a client for each grant. Tests only. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class AuthorizationServerApp {

  /** The grants of tokens that were given, in order. */
  static final List<String> GIVEN = new CopyOnWriteArrayList<>();

  @Bean
  SecurityFilterChain security(HttpSecurity http) throws Exception {
    return http.with(new OAuth2AuthorizationServerConfigurer(), Customizer.withDefaults())
        .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
        .formLogin(Customizer.withDefaults())
        .build();
  }

  @Bean
  UserDetailsService users() {
    return new InMemoryUserDetailsManager(
        User.withUsername("ann").password("{noop}pw").roles("USER").build());
  }

  @Bean
  RegisteredClientRepository clients() {
    return new InMemoryRegisteredClientRepository(
        RegisteredClient.withId("1")
            .clientId("service")
            .clientSecret("{noop}secret+/ %")
            .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
            .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
            .scope("tools")
            .build(),
        RegisteredClient.withId("2")
            .clientId("person")
            .clientSecret("{noop}secret")
            .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
            .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
            .authorizationGrantType(AuthorizationGrantType.REFRESH_TOKEN)
            .redirectUri("http://127.0.0.1/callback")
            .scope("tools")
            .clientSettings(
                ClientSettings.builder()
                    .requireProofKey(true)
                    .requireAuthorizationConsent(true)
                    .build())
            .tokenSettings(TokenSettings.builder().reuseRefreshTokens(false).build())
            .build());
  }

  /** The audience is the resource that was asked for, as RFC 8707 has it. */
  @Bean
  OAuth2TokenCustomizer<JwtEncodingContext> audience() {
    return context -> {
      String resource =
          ((ServletRequestAttributes) RequestContextHolder.currentRequestAttributes())
              .getRequest()
              .getParameter("resource");
      context.getClaims().audience(List.of(String.valueOf(resource)));
      GIVEN.add(context.getAuthorizationGrantType().getValue());
    };
  }

  @Bean
  JWKSource<SecurityContext> keys() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    var pair = generator.generateKeyPair();
    RSAKey key =
        new RSAKey.Builder((RSAPublicKey) pair.getPublic())
            .privateKey(pair.getPrivate())
            .keyID("k")
            .build();
    return new ImmutableJWKSet<>(new JWKSet(key));
  }

  @Bean
  AuthorizationServerSettings settings() {
    return AuthorizationServerSettings.builder().build();
  }

  static Map<String, Object> properties() {
    return Map.of("server.port", "0", "server.address", "127.0.0.1");
  }
}
