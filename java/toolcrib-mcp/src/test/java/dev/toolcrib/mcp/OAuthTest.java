package dev.toolcrib.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.mcp.McpServerConfig.Http;
import dev.toolcrib.mcp.ProtectedServer.Reply;
import dev.toolcrib.mcp.oauth.OAuthConfig;
import dev.toolcrib.mcp.oauth.OAuthToken;
import dev.toolcrib.mcp.oauth.TokenStore;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OAuthTest extends McpTest {

  private static final String SECRET = "s3cr3t/+&";

  private final ProtectedServer server;
  private final MovableClock clock = new MovableClock();
  private final TokenStore store = TokenStore.inMemory();

  OAuthTest() throws Exception {
    server = new ProtectedServer();
  }

  @AfterEach
  void closeServer() {
    server.close();
  }

  @Test
  void client_credentials_get_a_token_for_this_server() throws Exception {
    McpSources sources = connect(credentials().withScopes("a", "b"));
    assertThat(status(sources, "p").state()).isEqualTo(McpServerState.CONNECTED);
    assertThat(server.tokenRequests)
        .containsExactly(
            Map.of("grant_type", "client_credentials", "resource", server.url(), "scope", "a b"));
    assertThat(server.authorizations).containsExactly("Basic " + base64("client:s3cr3t%2F%2B%26"));
    assertThat(call("mcp__p__echo", "{\"text\":\"hi\"}").text()).contains("hi");
    assertThat(server.tokenRequests).hasSize(1);
    OAuthToken kept = store.load(new TokenStore.Key("p", URI.create(server.url())));
    assertThat(kept.accessToken()).isEqualTo("access-1");
    assertThat(kept.toString()).doesNotContain("access-1");
  }

  @Test
  void a_secret_goes_into_the_body_where_only_that_is_taken() throws Exception {
    server.metadata.put(
        "token_endpoint_auth_methods_supported", List.of("private_key_jwt", "client_secret_post"));
    connect(credentials());
    assertThat(server.tokenRequests.get(0))
        .containsEntry("client_id", "client")
        .containsEntry("client_secret", SECRET);
    assertThat(server.authorizations).containsExactly("null");
  }

  @Test
  void scopes_of_the_challenge_are_asked_for_if_none_are_configured() throws Exception {
    server.challenge += ", scope=\"read write\"";
    connect(credentials());
    assertThat(server.tokenRequests.get(0)).containsEntry("scope", "read write");
  }

  @Test
  void metadata_are_found_without_a_challenge_and_below_the_path_of_the_issuer() throws Exception {
    server.challenge = "Basic realm=\"Bearer resource_metadata=x\"";
    String issuer = server.base() + "/tenant/one";
    server.replies.put(
        "/.well-known/oauth-protected-resource/mcp",
        Reply.json(Map.of("resource", server.base(), "authorization_servers", List.of(issuer))));
    server.replies.put(
        "/tenant/one/.well-known/openid-configuration",
        Reply.json(Map.of("issuer", issuer, "token_endpoint", server.base() + "/token")));
    McpSources sources = connect(credentials());
    assertThat(status(sources, "p").state()).isEqualTo(McpServerState.CONNECTED);
    assertThat(server.asked)
        .contains(
            "/.well-known/oauth-authorization-server/tenant/one",
            "/.well-known/openid-configuration/tenant/one");
    assertThat(server.tokenRequests.get(0)).containsEntry("resource", server.base());
  }

  @Test
  void one_of_many_requests_renews_a_token_that_expired() throws Exception {
    McpSources sources = connect(credentials());
    clock.now = clock.now.plusSeconds(301);
    List<CompletableFuture<String>> calls = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      calls.add(CompletableFuture.supplyAsync(this::echo));
    }
    calls.forEach(call -> assertThat(call.join()).as("%s", sources.status()).contains("hi"));
    assertThat(server.tokenRequests).hasSize(2);
  }

  @Test
  void a_refresh_token_renews_before_the_token_expires_and_is_kept_if_not_replaced()
      throws Exception {
    server.answers.put("refresh_token", "refresh-1");
    // What was current before the renewal stays good.
    server.accepts = token -> token.startsWith("access-");
    connect(credentials());
    server.answers.remove("refresh_token");
    clock.now = clock.now.plusSeconds(280);
    assertThat(echo()).contains("hi");
    eventually(() -> kept() != null && kept().accessToken().equals("access-2"));
    assertThat(server.tokenRequests.get(1))
        .containsEntry("grant_type", "refresh_token")
        .containsEntry("refresh_token", "refresh-1")
        .containsEntry("resource", server.url());
    assertThat(kept().refreshToken()).isEqualTo("refresh-1");
  }

  @Test
  void a_token_that_is_revoked_is_replaced() throws Exception {
    connect(credentials());
    server.accepts = token -> token.equals("access-2");
    assertThat(echo()).contains("hi");
    assertThat(server.tokenRequests).hasSize(2);
  }

  @Test
  void a_stored_token_is_used_after_a_restart() throws Exception {
    connect(credentials()).close();
    McpSources again = connect(credentials());
    assertThat(status(again, "p").state()).isEqualTo(McpServerState.CONNECTED);
    assertThat(server.tokenRequests).hasSize(1);
  }

  @Test
  void a_fresh_token_that_is_refused_leaves_the_server_unauthorized() throws Exception {
    server.accepts = token -> false;
    McpSources sources = connect(credentials());
    McpServerStatus status = status(sources, "p");
    assertThat(status.state()).isEqualTo(McpServerState.UNAUTHORIZED);
    assertThat(status.error())
        .contains("refuses the token that " + server.base())
        .doesNotContain("access-", SECRET);
    assertThat(kept()).isNull();
  }

  @Test
  void a_request_that_wants_more_scopes_is_reported_and_the_server_stays() throws Exception {
    server.answers.put("scope", "read");
    McpSources sources = connect(credentials());
    server.refusesCalls = "Bearer error=\"insufficient_scope\", scope=\"read write\"";
    assertThat(failure())
        .contains("the server wants the scopes read write for this, the token has read");
    assertThat(status(sources, "p").state()).isEqualTo(McpServerState.CONNECTED);
    assertThat(server.tokenRequests).hasSize(1);
  }

  @Test
  void an_error_of_the_authorization_server_repeats_nothing_of_it_but_its_code() throws Exception {
    server.replies.put(
        "/token",
        new Reply(
            400,
            Map.of(),
            "{\"error\":\"invalid_client\",\"error_description\":\"not " + SECRET + "\"}"));
    McpServerStatus status = status(connect(credentials()), "p");
    assertThat(status.state()).isEqualTo(McpServerState.UNAUTHORIZED);
    assertThat(status.error()).endsWith("gave no token for client_credentials: invalid_client");
  }

  /** Something that a server may not do, and what is said of it. */
  record Malice(String what, java.util.function.Consumer<ProtectedServer> act, String said) {
    @Override
    public String toString() {
      return what;
    }
  }

  static Stream<Malice> malice() {
    String as = "/.well-known/oauth-authorization-server";
    return Stream.of(
        new Malice(
            "challenge names another host",
            s -> s.challenge = "Bearer resource_metadata=\"https://127.0.0.2/metadata\"",
            "another host"),
        new Malice(
            "challenge names no address",
            s -> s.challenge = "Bearer resource_metadata=\"file:///etc/passwd\"",
            "no address"),
        new Malice(
            "metadata redirect",
            s ->
                s.replies.put(
                    "/metadata", new Reply(302, Map.of("Location", s.base() + "/elsewhere"), "")),
            "redirects are not followed"),
        new Malice(
            "metadata are huge",
            s -> s.replies.put("/metadata", new Reply(200, Map.of(), "x".repeat(1 << 20))),
            "more than 262144 bytes"),
        new Malice(
            "metadata are nested deeply",
            s -> s.replies.put("/metadata", new Reply(200, Map.of(), "[".repeat(200_000))),
            "missing or no address"),
        new Malice(
            "metadata of another resource",
            s ->
                s.replies.put(
                    "/metadata",
                    Reply.json(
                        Map.of(
                            "resource",
                            "https://127.0.0.1/mcp",
                            "authorization_servers",
                            List.of(s.base())))),
            "of another resource"),
        new Malice(
            "metadata of a neighbour",
            s ->
                s.replies.put(
                    "/metadata",
                    Reply.json(
                        Map.of(
                            "resource",
                            s.base() + "/mc",
                            "authorization_servers",
                            List.of(s.base())))),
            "of another resource"),
        new Malice(
            "an authorization server that nobody configured",
            s ->
                s.replies.put(
                    "/metadata",
                    Reply.json(
                        Map.of(
                            "resource",
                            s.url(),
                            "authorization_servers",
                            List.of(s.base().replace("127.0.0.1", "localhost"))))),
            "set oauth.issuer to it"),
        new Malice(
            "another issuer in its metadata",
            s -> s.metadata.put("issuer", "https://issuer.example"),
            "are those of another"),
        new Malice(
            "a token endpoint without https",
            s -> s.metadata.put("token_endpoint", "http://token.example/token"),
            "no https address"),
        new Malice(
            "a token endpoint with a user",
            s -> s.metadata.put("token_endpoint", "https://a@token.example/token"),
            "no address"),
        new Malice(
            "authorization server metadata redirect",
            s -> s.replies.put(as, new Reply(307, Map.of("Location", "/elsewhere"), "")),
            "redirects are not followed"),
        new Malice(
            "a server in trouble", s -> s.replies.put(as, new Reply(500, Map.of(), "")), "500"));
  }

  @ParameterizedTest
  @MethodSource("malice")
  void malicious_metadata_get_no_credentials(Malice malice) throws Exception {
    malice.act().accept(server);
    McpServerStatus status = status(connect(credentials()), "p");
    assertThat(status.state()).isEqualTo(McpServerState.UNAUTHORIZED);
    assertThat(status.error()).contains(malice.said()).doesNotContain(SECRET);
    assertThat(server.tokenRequests).isEmpty();
    assertThat(server.asked).doesNotContain("/elsewhere");
  }

  @Test
  void a_token_request_follows_no_redirect() throws Exception {
    server.replies.put("/token", new Reply(307, Map.of("Location", "/elsewhere"), ""));
    McpServerStatus status = status(connect(credentials()), "p");
    assertThat(status.error()).endsWith("status 307");
    assertThat(server.asked).doesNotContain("/elsewhere");
  }

  @Test
  void a_token_that_would_forge_a_header_is_refused() throws Exception {
    server.answers.put("access_token", "x\r\nX-Other: y");
    assertThat(status(connect(credentials()), "p").error()).endsWith("no bearer token");
  }

  @Test
  void a_server_that_asks_gets_nothing_if_no_oauth_is_configured() throws Exception {
    McpSources sources = start(builder().servers(List.of(McpServerConfig.http("p", server.url()))));
    sources.await(LONG);
    assertThat(status(sources, "p").state()).isEqualTo(McpServerState.UNAUTHORIZED);
    assertThat(server.asked).doesNotContain("/metadata", "/token");
  }

  private OAuthConfig credentials() {
    return OAuthConfig.clientCredentials("client", "$SECRET");
  }

  private McpSources connect(OAuthConfig oauth) {
    McpSources sources =
        start(
            builder()
                .environment(Map.of("SECRET", SECRET)::get)
                .clock(clock)
                .tokenStore(store)
                .retry(Duration.ofMinutes(5), Duration.ofMinutes(5))
                .servers(
                    List.of(
                        McpServerConfig.of(
                            "p", new Http(URI.create(server.url()), Map.of(), oauth)))));
    assertThat(sources.await(LONG)).isEmpty();
    return sources;
  }

  private String echo() {
    try {
      return call("mcp__p__echo", "{\"text\":\"hi\"}").text();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private String failure() throws Exception {
    return call("mcp__p__echo", "{\"text\":\"hi\"}").text();
  }

  private OAuthToken kept() {
    return store.load(new TokenStore.Key("p", URI.create(server.url())));
  }

  private static String base64(String text) {
    return java.util.Base64.getEncoder().encodeToString(text.getBytes());
  }

  /** A clock that stands still until it is moved. */
  static final class MovableClock extends Clock {
    volatile Instant now = Instant.parse("2026-11-30T00:00:00Z");

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
