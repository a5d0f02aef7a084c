package dev.toolcrib.spring.boot.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.Caller;
import dev.toolcrib.Exposure;
import dev.toolcrib.Naming;
import dev.toolcrib.ToolAuthorizer;
import dev.toolcrib.ToolDefinition;
import dev.toolcrib.ToolExecutor;
import dev.toolcrib.ToolResult;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSource;
import dev.toolcrib.mcp.McpServerState;
import dev.toolcrib.mcp.McpServerStatus;
import dev.toolcrib.mcp.McpSources;
import dev.toolcrib.mcp.McpToolServer;
import dev.toolcrib.spring.boot.autoconfigure.ToolcribAutoConfiguration;
import dev.toolcrib.spring.boot.web.CallerResolver;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

class ToolcribMcpAutoConfigurationTest {

  @TempDir Path folder;

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  JacksonAutoConfiguration.class,
                  ToolcribAutoConfiguration.class,
                  ToolcribMcpAutoConfiguration.class,
                  ToolcribMcpServerAutoConfiguration.class));

  @Test
  void servers_come_from_files_and_properties_and_a_bad_one_disables_itself() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("mcp.json"),
            """
            {"mcpServers": {
              "gone": {"command": "no-such-command-at-all", "exposure": "direct"},
              "off": {"command": "x", "enabled": false},
              "bad": {"command": 1}}}
            """);
    runner
        .withPropertyValues(
            "toolcrib.mcp.files=" + file,
            "toolcrib.mcp.servers.web.url=http://127.0.0.1:1/mcp",
            "toolcrib.mcp.servers.web.exposure=deferred",
            "toolcrib.mcp.servers.web.tool-exposure[read*]=direct",
            "toolcrib.mcp.servers.off.command=y",
            "toolcrib.mcp.servers.off.enabled=false")
        .run(
            context -> {
              McpSources sources = context.getBean(McpSources.class);
              assertThat(sources.await(Duration.ofSeconds(60))).isEmpty();
              assertThat(sources.status())
                  .extracting(McpServerStatus::name)
                  .containsExactly("gone", "off", "web");
              assertThat(sources.status().get(0).state()).isEqualTo(McpServerState.FAILED);
              assertThat(sources.configs().get(2).exposure()).isEqualTo(Exposure.DEFERRED);
              assertThat(sources.configs().get(2).toolExposure())
                  .containsEntry("read*", Exposure.DIRECT);
              assertThat(context).doesNotHaveBean(McpToolServer.class);
            });
  }

  @Test
  void without_the_library_for_mcp_there_is_nothing_of_it() {
    runner
        .withClassLoader(new FilteredClassLoader(McpSources.class))
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("mcpSources"));
  }

  @Test
  void a_server_without_command_and_url_stops_the_start() {
    runner
        .withPropertyValues("toolcrib.mcp.servers.web.description=x")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessage("toolcrib.mcp.servers.web needs either command or url"));
  }

  @Test
  void the_tools_are_served_to_who_is_known() throws Exception {
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(Service.class)
            .properties(
                "server.port=0",
                "server.address=127.0.0.1",
                "toolcrib.mcp.server.enabled=true",
                "toolcrib.mcp.server.stateless=true",
                "toolcrib.mcp.server.authorization-servers=https://issuer.example")
            .run()) {
      String base =
          "http://127.0.0.1:"
              + ((ServletWebServerApplicationContext) context).getWebServer().getPort();
      HttpResponse<String> listed = post(base + "/mcp", "ann");
      assertThat(listed.statusCode()).isEqualTo(200);
      assertThat(listed.body()).contains("hello").doesNotContain("tool_search");
      HttpResponse<String> nobody = post(base + "/mcp", "");
      assertThat(nobody.statusCode()).isEqualTo(401);
      String challenge = nobody.headers().firstValue("WWW-Authenticate").orElseThrow();
      assertThat(challenge).startsWith("Bearer resource_metadata=\"" + base);
      String metadata = challenge.substring(challenge.indexOf('"') + 1, challenge.length() - 1);
      assertThat(get(metadata))
          .contains("\"https://issuer.example\"", "\"resource\":\"" + base + "/mcp\"");
    }
  }

  @Test
  void scripts_are_run_for_clients_only_where_that_is_said() throws Exception {
    String run =
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"codemode",
         "arguments":{"code":"return (await tools.greet({})).content[0].text + '!'"}}}
        """;
    for (boolean offered : new boolean[] {false, true}) {
      try (ConfigurableApplicationContext context =
          new SpringApplicationBuilder(Service.class)
              .properties(
                  "server.port=0",
                  "server.address=127.0.0.1",
                  "toolcrib.mcp.server.enabled=true",
                  "toolcrib.mcp.server.stateless=true",
                  "toolcrib.mcp.server.codemode=" + offered)
              .run()) {
        String url =
            "http://127.0.0.1:"
                + ((ServletWebServerApplicationContext) context).getWebServer().getPort()
                + "/mcp";
        assertThat(post(url, "cleo").body().contains("\"codemode\"")).isEqualTo(offered);
        assertThat(post(url, "cleo", run).body().contains("hello!")).isEqualTo(offered);
      }
    }
  }

  private static HttpResponse<String> post(String url, String user) throws Exception {
    return post(url, user, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
  }

  private static HttpResponse<String> post(String url, String user, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .header("X-User", user)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static String get(String url) throws Exception {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Service {

    @Bean
    SecurityFilterChain open(HttpSecurity http) throws Exception {
      return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
          .csrf(csrf -> csrf.disable())
          .build();
    }

    @Bean
    ToolAuthorizer authorizer() {
      return caller ->
          caller.user().equals("cleo") ? ToolSelection.all() : ToolSelection.names("hello");
    }

    @Bean
    CallerResolver callers() {
      return request -> {
        String user = request.getHeader("X-User");
        return user == null || user.isBlank() ? null : Caller.of("acme", user);
      };
    }

    @Bean
    ToolSource hello() {
      return ToolSource.named("own")
          .naming(Naming.PLAIN)
          .exposure(Exposure.DIRECT)
          .tool(
              ToolDefinition.named("hello").build(),
              ToolExecutor.blocking(call -> ToolResult.text("hi")))
          .tool(
              ToolDefinition.named("greet").exposure(Exposure.CODEMODE).build(),
              ToolExecutor.blocking(call -> ToolResult.text("hello")))
          .build();
    }
  }
}
