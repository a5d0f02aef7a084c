package dev.toolcrib.spring.boot.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.toolcrib.Caller;
import dev.toolcrib.ToolAuthorizer;
import dev.toolcrib.ToolResult;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSource;
import dev.toolcrib.spring.boot.tool.CribTool;
import dev.toolcrib.spring.boot.tool.ObjectTools;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;

/**
 * The endpoints on a real server behind a real filter chain: a call that is answered on another
 * thread comes back through the chain.
 */
@SpringBootTest(
    classes = ServedToolsTest.Service.class,
    webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
    properties = {
      "toolcrib.endpoints.enabled=true",
      "toolcrib.caller.tenant=acme",
      "spring.security.user.name=ann",
      "spring.security.user.password=secret",
      "spring.security.user.roles=CLERK"
    })
class ServedToolsTest {

  record Greeting(String name) {}

  static final class Greeter {
    final CompletableFuture<Void> called = new CompletableFuture<>();
    final CompletableFuture<ToolResult> answer = new CompletableFuture<>();

    @CribTool(description = "Greets later")
    CompletionStage<ToolResult> greet(Greeting greeting, Caller caller) {
      called.complete(null);
      return answer.thenApply(
          result ->
              ToolResult.text(
                  "%s %s for %s of %s"
                      .formatted(result.text(), greeting.name(), caller.user(), caller.tenant())));
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Service {
    @Bean
    Greeter greeter() {
      return new Greeter();
    }

    @Bean
    ToolSource greetings(ObjectTools tools, Greeter greeter) {
      return tools.source("greetings", greeter).build();
    }

    @Bean
    ToolAuthorizer authorizer() {
      return caller -> caller.hasRole("ROLE_CLERK") ? ToolSelection.all() : ToolSelection.none();
    }

    @Bean
    SecurityFilterChain chain(HttpSecurity http) throws Exception {
      return http.csrf(csrf -> csrf.disable())
          .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
          .sessionManagement(s -> s.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
          .httpBasic(withDefaults())
          .build();
    }
  }

  @LocalServerPort private int port;
  @Autowired private Greeter greeter;

  @Test
  void aCallThatIsAnsweredLaterComesBack() throws Exception {
    CompletableFuture<HttpResponse<String>> response =
        HttpClient.newHttpClient()
            .sendAsync(
                request("call", "{\"name\":\"greet\",\"arguments\":{\"name\":\"Yu\"}}", "secret"),
                HttpResponse.BodyHandlers.ofString());
    greeter.called.join();
    greeter.answer.complete(ToolResult.text("Hello"));

    assertThat(response.join().statusCode()).isEqualTo(200);
    assertThat(response.join().body()).contains("Hello Yu for ann of acme");
  }

  @Test
  void whoDoesNotAuthenticateIsStoppedByTheFilterChain() throws Exception {
    assertThat(status(request("list", "{}", "wrong"))).isEqualTo(401);
    assertThat(status(request("list", "{}", "secret"))).isEqualTo(200);
  }

  private static int status(HttpRequest request) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(request, HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  private HttpRequest request(String endpoint, String body, String password) {
    String credentials =
        Base64.getEncoder().encodeToString(("ann:" + password).getBytes(StandardCharsets.US_ASCII));
    return HttpRequest.newBuilder(
            URI.create("http://localhost:%d/tools/%s".formatted(port, endpoint)))
        .header("Content-Type", "application/json")
        .header("Authorization", "Basic " + credentials)
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }
}
