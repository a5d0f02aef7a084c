package dev.toolcrib.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.Exposure;
import dev.toolcrib.mcp.McpConfigProblem.Severity;
import dev.toolcrib.mcp.McpServerConfig.Http;
import dev.toolcrib.mcp.McpServerConfig.Stdio;
import dev.toolcrib.mcp.oauth.OAuthConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class McpConfigTest {

  @TempDir Path folder;

  @Test
  void every_key_of_both_kinds_is_read() {
    McpConfig config =
        servers(
            """
            "files": {"type": "stdio", "command": "~/bin/files", "args": ["~/data", "-v"],
              "env": {"TOKEN": "$FILES_TOKEN"}, "cwd": "/tmp", "description": "Files",
              "exposure": "deferred", "toolExposure": {"read_*": "direct", "rm": "hidden"},
              "timeout": 2.5, "domain": "office", "tags": ["a"]},
            "web": {"type": "streamable-http", "url": "https://example.org/mcp",
              "headers": {"X-Key": "k"}, "enabled": false, "exposure": "codemode-deferred"}
            """);
    assertThat(config.problems()).isEmpty();
    McpServerConfig files = config.server("files").orElseThrow();
    String home = System.getProperty("user.home");
    assertThat(files.endpoint())
        .isEqualTo(
            new Stdio(
                home + "/bin/files",
                List.of(home + "/data", "-v"),
                Map.of("TOKEN", "$FILES_TOKEN"),
                Path.of("/tmp")));
    assertThat(files.exposure()).isEqualTo(Exposure.DEFERRED);
    assertThat(files.toolExposure())
        .containsExactly(Map.entry("read_*", Exposure.DIRECT), Map.entry("rm", Exposure.HIDDEN));
    assertThat(files.timeout()).isEqualTo(Duration.ofMillis(2_500));
    McpServerConfig web = config.server("web").orElseThrow();
    assertThat(((Http) web.endpoint()).headers()).containsEntry("X-Key", "k");
    assertThat(web.enabled()).isFalse();
    assertThat(web.exposure()).isEqualTo(Exposure.CODEMODE);
    assertThat(files.toString() + web).doesNotContain("FILES_TOKEN", "k}");
  }

  @Test
  void a_bad_entry_disables_only_itself_and_says_why() {
    McpConfig config =
        servers(
            """
            "good": {"command": "x"},
            "neither": {"description": "d", "type": "http"},
            "both": {"command": "x", "url": "http://h/"},
            "sse": {"type": "sse", "url": "http://h/"},
            "url": {"url": "ftp://h/"},
            "exposure": {"command": "x", "exposure": "visible"},
            "tool": {"command": "x", "toolExposure": {"t": 1}},
            "enabled": {"command": "x", "enabled": "yes"},
            "timeout": {"command": "x", "timeout": 0},
            "args": {"command": "x", "args": [1]},
            "env": {"command": "x", "env": {"A": 1}},
            "disabled": {"command": "x", "disabled": true},
            "bad name": {"command": "x"},
            "text": "x"
            """);
    assertThat(config.servers()).extracting(McpServerConfig::name).containsExactly("good");
    assertThat(config.problems())
        .hasSize(13)
        .allSatisfy(p -> assertThat(p.severity()).isEqualTo(Severity.SERVER_SKIPPED));
    assertThat(config.problems())
        .extracting(McpConfigProblem::where)
        .contains(
            "mcp.json: mcpServers.sse.type",
            "mcp.json: mcpServers.tool.toolExposure.t",
            "mcp.json: mcpServers.env.env.A");
  }

  @Test
  void unknown_keys_warn() {
    McpConfig config =
        McpConfig.parse(
            "mcp.json",
            "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"comand\":1,\"headers\":{}}},\"x\":1}");
    assertThat(config.servers()).hasSize(1);
    assertThat(config.problems())
        .extracting(McpConfigProblem::where, McpConfigProblem::severity)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("mcp.json: x", Severity.WARNING),
            org.assertj.core.groups.Tuple.tuple("mcp.json: mcpServers.a.comand", Severity.WARNING),
            org.assertj.core.groups.Tuple.tuple(
                "mcp.json: mcpServers.a.headers", Severity.WARNING));
  }

  @Test
  void oauth_is_read_and_a_bad_one_disables_the_entry() {
    McpConfig config =
        servers(
            """
            "good": {"url": "https://h/mcp", "oauth": {"grant": "client_credentials",
              "clientId": "c", "clientSecret": "$S", "scopes": ["a"], "issuer": "https://as/",
              "authorizationTimeout": 60, "callbackPort": 7000, "scope": "b"}},
            "plain": {"url": "http://h/mcp", "oauth": {"grant": "authorization_code"}},
            "secret": {"url": "https://h/", "oauth": {"grant": "client_credentials", "clientId": "c"}},
            "grant": {"url": "https://h/", "oauth": {"grant": "password"}},
            "text": {"url": "https://h/", "oauth": "yes"},
            "scope": {"url": "https://h/", "oauth": {"grant": "authorization_code",
              "scopes": ["a\\"b"]}},
            "port": {"url": "https://h/", "oauth": {"grant": "authorization_code",
              "callbackPort": 65536}}
            """);
    assertThat(config.servers()).extracting(McpServerConfig::name).containsExactly("good");
    assertThat(((Http) config.servers().get(0).endpoint()).oauth())
        .isEqualTo(
            new OAuthConfig(
                OAuthConfig.Grant.CLIENT_CREDENTIALS,
                "c",
                "$S",
                List.of("a"),
                java.net.URI.create("https://as/"),
                7_000,
                Duration.ofSeconds(60)));
    assertThat(config.servers().toString()).doesNotContain("$S");
    assertThat(config.problems())
        .extracting(McpConfigProblem::where)
        .contains(
            "mcp.json: mcpServers.good.oauth.scope",
            "mcp.json: mcpServers.plain.oauth",
            "mcp.json: mcpServers.grant.oauth.grant")
        .hasSize(7);
  }

  @Test
  void names_that_differ_only_by_dash_and_underscore_are_refused() {
    McpConfig config = servers("\"a-b\": {\"command\": \"x\"}, \"a_b\": {\"command\": \"y\"}");
    assertThat(config.servers()).extracting(McpServerConfig::name).containsExactly("a-b");
    assertThat(config.problems().get(0).message()).contains("a-b");
  }

  @Test
  void a_later_file_replaces_whole_entries_and_overrides_a_few_keys() throws Exception {
    Path first =
        file(
            "first.json",
            """
            {"mcpServers": {
              "replaced": {"command": "x", "description": "old"},
              "overridden": {"command": "x", "exposure": "direct", "toolExposure": {"a": "hidden"}},
              "kept": {"command": "x"}}, "autoEnableCodemode": true}
            """);
    Path second =
        file(
            "second.json",
            """
            {"mcpServers": {
              "replaced": {"command": "y"},
              "overridden": {"enabled": false, "toolExposure": {"b": "deferred"}},
              "kept": {"command": 7},
              "alone": {"enabled": true},
              "greedy": {"description": "d"}}, "autoEnableCodemode": false}
            """);
    McpConfig config = McpConfig.read(List.of(first, second));
    assertThat(config.servers())
        .extracting(McpServerConfig::name)
        .containsExactly("replaced", "overridden", "kept");
    assertThat(config.server("replaced").orElseThrow().description()).isNull();
    McpServerConfig overridden = config.server("overridden").orElseThrow();
    assertThat(overridden.enabled()).isFalse();
    assertThat(overridden.exposure()).isEqualTo(Exposure.DIRECT);
    assertThat(overridden.toolExposure()).containsExactly(Map.entry("b", Exposure.DEFERRED));
    assertThat(config.problems()).extracting(McpConfigProblem::where).hasSize(4);
  }

  @Test
  void an_override_may_set_nothing_else() {
    McpConfig config = servers("\"a\": {\"enabled\": true, \"timeout\": 5}");
    assertThat(config.servers()).isEmpty();
  }

  @Test
  void a_file_that_cannot_be_read_leaves_the_others() throws Exception {
    Path good = file("good.json", "{\"mcpServers\": {\"a\": {\"command\": \"x\"}}}");
    Path broken = file("broken.json", "{\"mcpServers\": {\"a\": \"sEcReT");
    Path twice = file("twice.json", "{\"mcpServers\": {\"b\": {}, \"b\": {}}}");
    Path array = file("array.json", "[]");
    McpConfig config =
        McpConfig.read(List.of(good, broken, twice, array, folder.resolve("none.json")));
    assertThat(config.servers()).hasSize(1);
    assertThat(config.problems())
        .hasSize(4)
        .allSatisfy(p -> assertThat(p.severity()).isEqualTo(Severity.FILE_SKIPPED));
    assertThat(config.problems().toString()).doesNotContain("sEcReT");
  }

  @Test
  void variables_expand_where_they_stand_and_commands_do_not_run() {
    Map<String, String> values = Map.of("A", "1", "LONG_NAME", "2");
    Variables variables = new Variables(values::get, false);
    assertThat(variables.expand("env", Map.of("X", "$A-${LONG_NAME}x$$A $!")))
        .containsExactly(Map.entry("X", "1-2x$A !"));
    org.assertj.core.api.Assertions.assertThatThrownBy(
            () -> variables.expand("env", Map.of("X", "!echo hi")))
        .hasMessage("env.X is a command, and commands are not switched on");
    assertThat(new Variables(values::get, true).expand("env", Map.of("X", "!echo hi")))
        .containsExactly(Map.entry("X", "hi"));
  }

  private static McpConfig servers(String entries) {
    return McpConfig.parse("mcp.json", "{\"mcpServers\": {" + entries + "}}");
  }

  private Path file(String name, String text) throws Exception {
    return Files.writeString(folder.resolve(name), text);
  }
}
