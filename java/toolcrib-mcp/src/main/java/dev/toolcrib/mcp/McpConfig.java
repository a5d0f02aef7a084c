package dev.toolcrib.mcp;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one or more {@code mcp.json} files say.
 *
 * <p>An entry of a later file replaces the entry of the same name in an earlier one as a whole,
 * unless it has none of {@code command}, {@code url} and {@code type}: then it is an override, and
 * may set {@code enabled}, {@code exposure} and {@code toolExposure} of the earlier one. What is
 * wrong with one entry disables that entry and nothing else.
 *
 * @param servers the servers that can be used, in the order in which they were first named; the
 *     disabled ones included
 * @param problems what should be mended, in the order found
 */
public record McpConfig(List<McpServerConfig> servers, List<McpConfigProblem> problems) {

  private static final Logger LOG = LoggerFactory.getLogger(McpConfig.class);

  /** Copies the lists. */
  public McpConfig {
    servers = List.copyOf(servers);
    problems = List.copyOf(problems);
  }

  /**
   * Reads files. Nothing is connected, and no variable expanded, by it.
   *
   * @param files the files, those that win over others last; one that is not there is a problem
   * @return what they say together
   */
  public static McpConfig read(List<Path> files) {
    Map<String, String> texts = new LinkedHashMap<>();
    McpConfigReader reader = new McpConfigReader();
    for (Path file : files) {
      reader.file(file).ifPresent(text -> texts.put(file.toString(), text));
    }
    return reader.read(texts);
  }

  /**
   * Reads one text.
   *
   * @param name what to call it in problems
   * @param json the text
   * @return what it says
   */
  public static McpConfig parse(String name, String json) {
    return new McpConfigReader().read(Map.of(name, json));
  }

  /**
   * The server of a name.
   *
   * @param name the name
   * @return the server, if there is one
   */
  public Optional<McpServerConfig> server(String name) {
    return servers.stream().filter(server -> server.name().equals(name)).findFirst();
  }

  /**
   * Logs the problems as warnings, each in one line.
   *
   * @return this
   */
  public McpConfig logProblems() {
    problems.forEach(problem -> LOG.warn("{}", problem));
    return this;
  }
}
