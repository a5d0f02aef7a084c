package dev.toolcrib.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.mcp.McpServerConfig.Http;
import dev.toolcrib.mcp.ProtectedServer.Reply;
import dev.toolcrib.mcp.oauth.AuthorizationPrompt;
import dev.toolcrib.mcp.oauth.OAuthClient;
import dev.toolcrib.mcp.oauth.OAuthConfig;
import dev.toolcrib.mcp.oauth.OAuthSurroundings;
import dev.toolcrib.mcp.oauth.TokenStore;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Authorizations in a browser, which the tests play. */
class OAuthBrowserTest extends McpTest {

  private static final Duration SHORT = Duration.ofMillis(50);

  private final ProtectedServer server;
  private final BlockingQueue<AuthorizationPrompt.Request> prompts = new LinkedBlockingQueue<>();

  OAuthBrowserTest() throws Exception {
    server = new ProtectedServer();
  }

  @AfterEach
  void closeServer() {
    server.close();
  }

  @Test
  void the_code_is_bound_to_this_authorization_and_this_server() throws Exception {
    McpSources sources = connect(OAuthConfig.authorizationCode("client").withScopes("a"));
    assertThat(status(sources, "p").error()).contains("somebody to authorize it");
    Map<String, String> query = asked();
    assertThat(query)
        .containsEntry("response_type", "code")
        .containsEntry("client_id", "client")
        .containsEntry("scope", "a")
        .containsEntry("resource", server.url())
        .containsEntry("code_challenge_method", "S256");
    assertThat(browse(query, "?code=evil&state=guessed")).isEqualTo(400);
    assertThat(browse(query, "?code=evil&state=" + query.get("state") + "&state=x")).isEqualTo(400);
    assertThat(browse(query, "?code=evil")).isEqualTo(400);
    assertThat(browse(query, "?code=good&state=" + query.get("state"))).isEqualTo(200);
    eventually(() -> status(sources, "p").state() == McpServerState.CONNECTED);
    Map<String, String> request = server.tokenRequests.get(0);
    assertThat(request)
        .containsEntry("grant_type", "authorization_code")
        .containsEntry("code", "good")
        .containsEntry("client_id", "client")
        .containsEntry("resource", server.url())
        .containsEntry("redirect_uri", query.get("redirect_uri"));
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(request.get("code_verifier").getBytes());
    assertThat(Base64.getUrlEncoder().withoutPadding().encodeToString(hash))
        .isEqualTo(query.get("code_challenge"));
    assertThat(server.tokenRequests).hasSize(1);
    assertThat(prompts).isEmpty();
  }

  @Test
  void a_refusal_handled_after_somebody_had_agreed_asked_once_more() throws Exception {
    List<Runnable> queued = new CopyOnWriteArrayList<>();
    OAuthSurroundings surroundings =
        new OAuthSurroundings(TokenStore.inMemory(), prompts::add, queued::add, Clock.systemUTC());
    try (OAuthClient client =
        new OAuthClient(
            "p",
            URI.create(server.url()),
            OAuthConfig.authorizationCode("client"),
            () -> null,
            surroundings,
            () -> {})) {
      var first = client.refused(401, List.of(server.challenge), null);
      queued.remove(0).run();
      assertThat(first).isCompletedExceptionally();
      Map<String, String> query = asked();
      var second = client.refused(401, List.of(server.challenge), null);
      browse(query, "?code=good&state=" + query.get("state"));
      eventually(() -> queued.size() == 2);
      // The agreement overtakes the refusal.
      queued.get(1).run();
      queued.get(0).run();
      assertThat(second).isCompletedWithValue(true);
      assertThat(prompts).isEmpty();
    }
  }

  @Test
  void a_client_without_identifier_registers_with_the_address_it_listens_at() throws Exception {
    server.metadata.put("registration_endpoint", server.base() + "/register");
    server.replies.put("/register", new Reply(201, Map.of(), "{\"client_id\":\"new\"}"));
    connect(OAuthConfig.authorizationCode(null));
    assertThat(asked()).containsEntry("client_id", "new");
  }

  @Test
  void who_does_not_agree_is_asked_again_only_on_demand() throws Exception {
    McpSources sources = connect(OAuthConfig.authorizationCode("client"));
    Map<String, String> query = asked();
    browse(query, "?error=access_denied&state=" + query.get("state"));
    eventually(() -> status(sources, "p").error().contains("was not authorized: access_denied"));
    assertThat(prompts).isEmpty();
    // While it is being tried by itself the demand may come at a bad moment.
    eventually(
        () -> {
          sources.reconnect("p");
          return !prompts.isEmpty();
        });
    assertThat(server.tokenRequests).isEmpty();
  }

  @Test
  void nobody_is_waited_for_longer_than_configured() throws Exception {
    McpSources sources =
        connect(OAuthConfig.authorizationCode("client").withAuthorizationTimeout(SHORT));
    Map<String, String> query = asked();
    eventually(() -> status(sources, "p").error().contains("nobody authorized it within"));
    // Nothing listens any more.
    org.assertj.core.api.Assertions.assertThatThrownBy(() -> browse(query, "?code=late"))
        .isInstanceOf(java.io.IOException.class);
  }

  @Test
  void an_answer_of_another_authorization_server_is_refused() throws Exception {
    server.metadata.put("authorization_response_iss_parameter_supported", true);
    McpSources sources = connect(OAuthConfig.authorizationCode("client"));
    Map<String, String> query = asked();
    browse(query, "?code=good&iss=https%3A%2F%2Fother.example&state=" + query.get("state"));
    eventually(() -> status(sources, "p").error().contains("is not of " + server.base()));
    assertThat(server.tokenRequests).isEmpty();
  }

  @Test
  void without_pkce_nobody_is_asked() throws Exception {
    server.metadata.put("code_challenge_methods_supported", List.of("plain"));
    McpSources sources = connect(OAuthConfig.authorizationCode("client"));
    assertThat(status(sources, "p").error()).contains("PKCE S256");
    assertThat(prompts).isEmpty();
  }

  @Test
  void closing_ends_the_wait() throws Exception {
    McpSources sources = connect(OAuthConfig.authorizationCode("client"));
    Map<String, String> query = asked();
    sources.close();
    org.assertj.core.api.Assertions.assertThatThrownBy(() -> browse(query, "?code=late"))
        .isInstanceOf(java.io.IOException.class);
  }

  private McpSources connect(OAuthConfig oauth) {
    McpSources sources =
        start(
            builder()
                .authorizationPrompt(prompts::add)
                .servers(
                    List.of(
                        McpServerConfig.of(
                            "p", new Http(URI.create(server.url()), Map.of(), oauth)))));
    assertThat(sources.await(LONG)).isEmpty();
    return sources;
  }

  /** The parameters of the address that somebody was asked to open. */
  private Map<String, String> asked() throws Exception {
    AuthorizationPrompt.Request prompt = prompts.poll(60, TimeUnit.SECONDS);
    assertThat(prompt).isNotNull();
    assertThat(prompt.url().toString()).startsWith(server.base() + "/authorize?");
    Map<String, String> query = new HashMap<>();
    for (String pair : prompt.url().getRawQuery().split("&")) {
      String[] parts = pair.split("=", 2);
      query.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
    }
    assertThat(query.get("redirect_uri")).matches("http://127\\.0\\.0\\.1:\\d+/callback");
    return query;
  }

  private static int browse(Map<String, String> query, String back) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(query.get("redirect_uri") + back)).build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }
}
