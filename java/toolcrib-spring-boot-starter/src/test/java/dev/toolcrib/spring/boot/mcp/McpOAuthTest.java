package dev.toolcrib.spring.boot.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.CallRequest;
import dev.toolcrib.Caller;
import dev.toolcrib.Exposure;
import dev.toolcrib.Naming;
import dev.toolcrib.ToolAuthorizer;
import dev.toolcrib.ToolDefinition;
import dev.toolcrib.ToolExecutor;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolResult;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSession;
import dev.toolcrib.ToolSource;
import dev.toolcrib.mcp.McpServerState;
import dev.toolcrib.mcp.McpServerStatus;
import dev.toolcrib.mcp.McpSources;
import dev.toolcrib.mcp.oauth.AuthorizationPrompt;
import dev.toolcrib.mcp.oauth.OAuthToken;
import dev.toolcrib.mcp.oauth.TokenStore;
import dev.toolcrib.spring.boot.web.CallerResolver;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.web.SecurityFilterChain;

/** A service, a protected MCP server and Spring Authorization Server, all on loopback. */
class McpOAuthTest {

  private static final Caller ANN = Caller.of("acme", "ann");

  private static ConfigurableApplicationContext issuer;
  private static ConfigurableApplicationContext server;

  private final BlockingQueue<AuthorizationPrompt.Request> prompts = new LinkedBlockingQueue<>();
  private final TokenStore store = TokenStore.inMemory();
  private final MovableClock clock = new MovableClock();
  private ConfigurableApplicationContext service;

  @BeforeAll
  static void start() {
    issuer =
        new SpringApplicationBuilder(AuthorizationServerApp.class)
            .properties(AuthorizationServerApp.properties())
            .run();
    server = mcpServer(null);
  }

  private static ConfigurableApplicationContext mcpServer(String audience) {
    Map<String, Object> properties = new LinkedHashMap<>(AuthorizationServerApp.properties());
    properties.put("toolcrib.mcp.server.enabled", "true");
    properties.put("toolcrib.mcp.server.authorization-servers", base(issuer));
    properties.put("test.issuer", base(issuer));
    properties.put("test.audience", audience == null ? "" : audience);
    return new SpringApplicationBuilder(ProtectedApp.class).properties(properties).run();
  }

  @AfterAll
  static void stop() {
    server.close();
    issuer.close();
  }

  @AfterEach
  void stopService() {
    if (service != null) {
      service.close();
    }
  }

  @Test
  void client_credentials_open_the_server_and_are_renewed_when_the_token_expires()
      throws Exception {
    AuthorizationServerApp.GIVEN.clear();
    McpSources sources = service(server, "client_credentials", "service", "${SECRET}");
    assertThat(sources.await(Duration.ofSeconds(60))).isEmpty();
    assertThat(status(sources).state())
        .as("%s", status(sources))
        .isEqualTo(McpServerState.CONNECTED);
    assertThat(call()).isEqualTo("hi");
    assertThat(AuthorizationServerApp.GIVEN).containsExactly("client_credentials");
    clock.now = clock.now.plus(Duration.ofMinutes(6));
    assertThat(call()).isEqualTo("hi");
    assertThat(AuthorizationServerApp.GIVEN)
        .containsExactly("client_credentials", "client_credentials");
  }

  @Test
  void somebody_authorizes_it_in_a_browser_and_the_token_is_refreshed() throws Exception {
    AuthorizationServerApp.GIVEN.clear();
    McpSources sources = service(server, "authorization_code", "person", "secret");
    assertThat(sources.await(Duration.ofSeconds(60))).isEmpty();
    assertThat(status(sources).state()).isEqualTo(McpServerState.UNAUTHORIZED);
    assertThat(status(sources).error()).contains("somebody to authorize it in a browser");
    AuthorizationPrompt.Request prompt = prompts.poll(60, TimeUnit.SECONDS);
    assertThat(prompt.url().toString())
        .startsWith(base(issuer) + "/oauth2/authorize?")
        .contains("code_challenge_method=S256", "resource=", "redirect_uri=http%3A%2F%2F127.0.0.1");
    assertThat(agree(prompt.url())).contains("Thank you");
    eventually(() -> status(sources).state() == McpServerState.CONNECTED);
    assertThat(call()).isEqualTo("hi");
    OAuthToken first = kept();
    assertThat(first.refreshToken()).isNotNull();
    clock.now = clock.now.plus(Duration.ofMinutes(6));
    assertThat(call()).isEqualTo("hi");
    assertThat(kept().refreshToken()).isNotNull().isNotEqualTo(first.refreshToken());
    assertThat(AuthorizationServerApp.GIVEN).containsExactly("authorization_code", "refresh_token");
    assertThat(prompts).isEmpty();
  }

  @Test
  void a_token_that_no_key_signed_is_replaced() throws Exception {
    McpSources sources = service(server, "client_credentials", "service", "${SECRET}");
    assertThat(sources.await(Duration.ofSeconds(60))).isEmpty();
    OAuthToken good = kept();
    service.close();
    store.save(
        new TokenStore.Key("p", URI.create(base(server) + "/mcp")),
        new OAuthToken(
            good.accessToken() + "x",
            null,
            good.expiresAt(),
            good.issuer(),
            good.clientId(),
            good.resource(),
            good.scope()));
    McpSources again = service(server, "client_credentials", "service", "${SECRET}");
    assertThat(again.await(Duration.ofSeconds(60))).isEmpty();
    assertThat(status(again).state()).isEqualTo(McpServerState.CONNECTED);
    assertThat(kept().accessToken()).isNotEqualTo(good.accessToken() + "x");
  }

  @Test
  void a_server_that_wants_another_audience_is_unauthorized() {
    try (ConfigurableApplicationContext other = mcpServer("https://other.example/mcp")) {
      McpSources sources = service(other, "client_credentials", "service", "${SECRET}");
      assertThat(sources.await(Duration.ofSeconds(60))).isEmpty();
      assertThat(status(sources).state()).isEqualTo(McpServerState.UNAUTHORIZED);
      assertThat(status(sources).error())
          .contains("refuses the token that " + base(issuer) + " gave for " + base(other));
    }
  }

  @Test
  void the_metadata_of_spring_security_hid_those_that_name_the_authorization_server()
      throws Exception {
    HttpClient http = HttpClient.newHttpClient();
    HttpResponse<String> refused = get(http, base(server) + "/mcp");
    assertThat(refused.statusCode()).isEqualTo(401);
    String challenge = refused.headers().firstValue("WWW-Authenticate").orElseThrow();
    String named = challenge.replaceAll(".*resource_metadata=\"([^\"]+)\".*", "$1");
    for (String url : List.of(named, base(server) + "/.well-known/oauth-protected-resource/mcp")) {
      String metadata = get(http, url).body();
      assertThat(metadata)
          .as(url)
          .contains("\"authorization_servers\":[\"" + base(issuer) + "\"]")
          .contains("\"resource\":\"" + base(server) + (url.endsWith("/mcp") ? "/mcp\"" : "\""));
    }
  }

  private static HttpResponse<String> get(HttpClient http, String url) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void a_wrong_secret_is_said_and_not_shown() {
    McpSources sources = service(server, "client_credentials", "service", "wrong-secret");
    assertThat(sources.await(Duration.ofSeconds(60))).isEmpty();
    assertThat(status(sources).state()).isEqualTo(McpServerState.UNAUTHORIZED);
    assertThat(status(sources).error()).contains("invalid_client").doesNotContain("wrong-secret");
  }

  private McpSources service(
      ConfigurableApplicationContext target, String grant, String client, String secret) {
    String prefix = "toolcrib.mcp.servers.p.";
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put(prefix + "url", base(target) + "/mcp");
    properties.put(prefix + "oauth.grant", grant);
    properties.put(prefix + "oauth.client-id", client);
    // The placeholder is for the service's variables, not for Spring.
    properties.put(prefix + "oauth.client-secret", secret.replace("${SECRET}", "$SECRET"));
    properties.put(prefix + "oauth.scopes", "tools");
    properties.put(prefix + "oauth.issuer", base(issuer));
    properties.put("toolcrib.mcp.first-retry", "100ms");
    service =
        new SpringApplicationBuilder(Service.class)
            .web(WebApplicationType.NONE)
            .properties(properties)
            .initializers(
                context -> {
                  context.getBeanFactory().registerSingleton("store", store);
                  context
                      .getBeanFactory()
                      .registerSingleton("prompt", (AuthorizationPrompt) prompts::add);
                  context
                      .getBeanFactory()
                      .registerSingleton(
                          "time",
                          (McpSourcesCustomizer)
                              sources ->
                                  sources
                                      .clock(clock)
                                      .environment(Map.of("SECRET", "secret+/ %")::get));
                })
            .run();
    return service.getBean(McpSources.class);
  }

  private String call() throws Exception {
    try (ToolSession session = service.getBean(ToolRegistry.class).session(ANN).open()) {
      return session
          .call(CallRequest.of("mcp__p__hello", "{}").allowingInactive())
          .get(60, TimeUnit.SECONDS)
          .text();
    }
  }

  private OAuthToken kept() {
    return store.load(new TokenStore.Key("p", URI.create(base(server) + "/mcp")));
  }

  private static McpServerStatus status(McpSources sources) {
    return sources.status().get(0);
  }

  /** What a person with a browser does: logs in and consents. */
  private static String agree(URI url) throws Exception {
    HttpClient browser =
        HttpClient.newBuilder()
            .cookieHandler(new CookieManager())
            .followRedirects(HttpClient.Redirect.ALWAYS)
            .build();
    HttpRequest.Builder page = HttpRequest.newBuilder(url).header("Accept", "text/html");
    String login = browser.send(page.build(), HttpResponse.BodyHandlers.ofString()).body();
    String consent =
        post(
            browser,
            base(issuer) + "/login",
            "username=ann&password=pw&_csrf=" + hidden(login, "_csrf"));
    return post(
        browser,
        base(issuer) + "/oauth2/authorize",
        "client_id=person&scope=tools&state=" + hidden(consent, "state"));
  }

  private static String hidden(String page, String name) {
    Matcher field =
        Pattern.compile("<input[^>]*name=\"" + name + "\"[^>]*value=\"([^\"]*)\"").matcher(page);
    assertThat(field.find()).as(page).isTrue();
    return URLEncoder.encode(field.group(1), StandardCharsets.UTF_8);
  }

  private static String post(HttpClient browser, String url, String form) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Accept", "text/html")
            .POST(HttpRequest.BodyPublishers.ofString(form))
            .build();
    return browser.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private static String base(ConfigurableApplicationContext context) {
    return "http://127.0.0.1:"
        + ((ServletWebServerApplicationContext) context).getWebServer().getPort();
  }

  private static void eventually(BooleanSupplier condition) {
    Instant end = Instant.now().plusSeconds(60);
    while (!condition.getAsBoolean()) {
      assertThat(Instant.now()).as("waited in vain").isBefore(end);
      java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Service {
    @Bean
    ToolAuthorizer authorizer() {
      return caller -> ToolSelection.all();
    }
  }

  /**
   * An MCP server whose tokens are checked by Spring Security, which would also publish metadata of
   * RFC 9728 and names the host as the resource.
   */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class ProtectedApp {

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
      return http.authorizeHttpRequests(
              requests ->
                  requests
                      .requestMatchers("/.well-known/**")
                      .permitAll()
                      .anyRequest()
                      .authenticated())
          .csrf(csrf -> csrf.disable())
          .oauth2ResourceServer(server -> server.jwt(Customizer.withDefaults()))
          .build();
    }

    @Bean
    JwtDecoder decoder(
        @Value("${test.issuer}") String issuer, @Value("${test.audience}") String audience) {
      NimbusJwtDecoder decoder = NimbusJwtDecoder.withJwkSetUri(issuer + "/oauth2/jwks").build();
      decoder.setJwtValidator(
          new DelegatingOAuth2TokenValidator<>(
              JwtValidators.createDefaultWithIssuer(issuer),
              new JwtClaimValidator<List<String>>(
                  "aud",
                  values ->
                      values != null
                          && values.stream()
                              .anyMatch(
                                  value ->
                                      audience.isEmpty()
                                          ? value.startsWith("http://127.0.0.1:")
                                          : value.equals(audience)))));
      return decoder;
    }

    @Bean
    ToolAuthorizer authorizer() {
      return caller -> ToolSelection.all();
    }

    @Bean
    CallerResolver callers() {
      return request ->
          request.getUserPrincipal() == null
              ? null
              : Caller.of("acme", request.getUserPrincipal().getName());
    }

    @Bean
    ToolSource hello() {
      return ToolSource.named("own")
          .naming(Naming.PLAIN)
          .exposure(Exposure.DIRECT)
          .tool(
              ToolDefinition.named("hello").build(),
              ToolExecutor.blocking(call -> ToolResult.text("hi")))
          .build();
    }
  }

  /** The time, and what is added to it. */
  private static final class MovableClock extends Clock {
    volatile Instant now = Instant.now();

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
