package dev.toolcrib.demo.tour;

import dev.toolcrib.CallRequest;
import dev.toolcrib.CallResult;
import dev.toolcrib.SearchOutcome;
import dev.toolcrib.ToolPage;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSession;
import dev.toolcrib.demo.access.DemoUser;
import dev.toolcrib.demo.access.Role;
import dev.toolcrib.mcp.McpConfig;
import dev.toolcrib.mcp.McpConfigProblem;
import dev.toolcrib.mcp.McpServerConfig;
import dev.toolcrib.mcp.McpServerState;
import dev.toolcrib.mcp.McpServerStatus;
import dev.toolcrib.mcp.McpSources;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Puts the demo before MCP servers, and shows them connect, being searched and being called. */
@Component
public final class GatewayTour {

  private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);
  private static final int PAGE = 500;

  /** Whoever integrates other systems may use their tools. */
  private static final DemoUser USER = DemoUser.JONAS;

  private final ToolRegistry registry;
  private final McpSources sources;
  private final Environment environment;

  GatewayTour(ToolRegistry registry, McpSources sources, Environment environment) {
    this.registry = registry;
    this.sources = sources;
    this.environment = environment;
  }

  /**
   * Connects the servers, searches across them and calls one tool.
   *
   * @param files files in the form of {@code mcp.json}
   * @return how much was not as it should be
   */
  public int play(List<Path> files) {
    Screen screen = screen();
    screen.banner(
        "MCP 网关 · A gateway before MCP servers",
        "One endpoint for all of them; each caller finds what the caller may use.");
    try {
      List<String> connected = connect(screen, McpConfig.read(files));
      List<ToolPage.Entry> tools = toolsOf(connected);
      search(screen, connected, tools);
      call(screen, tools);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      screen.broken(e);
    } catch (Exception e) {
      screen.broken(e);
    }
    return screen.failures();
  }

  private List<String> connect(Screen screen, McpConfig config) {
    screen.section("连接", "The servers connect");
    for (McpConfigProblem problem : config.problems()) {
      screen.remark(problem.toString());
    }
    for (McpServerConfig server : config.servers()) {
      Set<String> tags = new HashSet<>(server.tags());
      tags.add(Role.EXTERNAL_TAG);
      sources.put(server.withLabels(server.domain(), tags));
    }
    sources.await(LONGEST_WAIT);
    List<List<String>> rows = new ArrayList<>();
    List<String> connected = new ArrayList<>();
    for (McpServerStatus server : sources.status()) {
      String error = server.error();
      rows.add(
          List.of(
              server.name(),
              server.state().name().toLowerCase(java.util.Locale.ROOT),
              String.valueOf(server.tools()),
              error == null ? "" : error.lines().findFirst().orElse("")));
      if (server.state() == McpServerState.CONNECTED) {
        connected.add(server.name());
      }
    }
    screen.table(List.of("server", "state", "tools", ""), rows);
    screen.check(!connected.isEmpty(), "at least one server is connected");
    return connected;
  }

  private List<ToolPage.Entry> toolsOf(List<String> servers) {
    List<ToolPage.Entry> tools = new ArrayList<>();
    String cursor = null;
    do {
      ToolPage page = registry.list(USER.caller(), cursor, PAGE);
      page.tools().stream()
          .filter(entry -> servers.contains(entry.tool().source()))
          .forEach(tools::add);
      cursor = page.nextCursor();
    } while (cursor != null);
    return tools;
  }

  private void search(Screen screen, List<String> servers, List<ToolPage.Entry> tools) {
    screen.section("检索", "A search across all of them");
    String asked = environment.getProperty("demo.ask");
    String query = asked != null ? asked : question(tools);
    try (ToolSession session = registry.session(USER.caller()).open()) {
      screen.says(USER.title(), query);
      SearchOutcome outcome = session.search(query);
      screen.says("tool_search", outcome.text());
      screen.check(
          asked != null
              || outcome.hits().stream().anyMatch(hit -> servers.contains(hit.tool().source())),
          "a tool of the servers is found");
    }
  }

  /** A question that one of the tools answers, where nobody asks another. */
  private static String question(List<ToolPage.Entry> tools) {
    return tools.stream()
        .map(entry -> entry.tool().description().lines().findFirst().orElse(""))
        .filter(line -> line.length() > 10)
        .findFirst()
        .map(line -> line.length() > 80 ? line.substring(0, 80) : line)
        .orElse("list what there is");
  }

  private void call(Screen screen, List<ToolPage.Entry> tools) throws Exception {
    screen.section("调用", "A call through to its server");
    Optional<String> harmless =
        tools.stream()
            .filter(GatewayTour::isHarmless)
            .map(entry -> entry.tool().name())
            .findFirst();
    if (harmless.isEmpty()) {
      screen.remark("No tool says that it only reads and needs no arguments, so none is called.");
      return;
    }
    try (ToolSession session = registry.session(USER.caller()).open()) {
      CallResult result =
          session.call(CallRequest.of(harmless.get(), "{}").allowingInactive()).get();
      screen.says(harmless.get(), result.text());
      screen.check(!result.isError(), "the server answers");
    }
  }

  private static boolean isHarmless(ToolPage.Entry entry) {
    return Boolean.TRUE.equals(entry.tool().annotations().readOnly())
        && JsonMapper.shared().readTree(entry.inputSchema()).path("required").isEmpty();
  }

  /** Says how clients are connected. */
  public void invite() {
    Screen screen = screen();
    String url =
        "http://localhost:" + environment.getProperty("local.server.port", "8080") + "/mcp";
    String login = USER.login() + ":" + USER.password();
    String basic =
        "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
    screen.section("自己试试", "Connect a client");
    screen.line("The gateway keeps serving at " + url + " — stop it with Ctrl-C.");
    screen.line("");
    screen.line("Claude Code:");
    screen.line(
        "  claude mcp add --transport http toolcrib %s --header 'Authorization: %s'"
            .formatted(url, basic));
    screen.line("Pi (~/.pi/agent/mcp.json), and most others that read mcpServers:");
    screen.line(
        "  {\"mcpServers\": {\"toolcrib\": {\"url\": \"%s\", \"exposure\": \"direct\","
            .formatted(url));
    screen.line("    \"headers\": {\"Authorization\": \"%s\"}}}}".formatted(basic));
    screen.line("");
  }

  private Screen screen() {
    @Nullable Boolean colour = environment.getProperty("demo.colour", Boolean.class, false);
    return Screen.standard(Boolean.TRUE.equals(colour));
  }
}
