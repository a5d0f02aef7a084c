package dev.toolcrib.mcp;

import dev.toolcrib.mcp.McpConfigProblem.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads {@code mcp.json} files into one configuration. Used once. */
final class McpConfigReader {

  private static final long MAX_FILE_BYTES = 4L << 20;
  private static final Set<String> TOP_LEVEL =
      Set.of("mcpServers", "autoEnableCodemode", "$schema");

  // Of two keys with one name the later would win without a word.
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final List<McpConfigProblem> problems = new ArrayList<>();
  private final Map<String, McpServerConfig> servers = new LinkedHashMap<>();

  Optional<String> file(Path file) {
    try {
      if (Files.size(file) > MAX_FILE_BYTES) {
        skipped(file.toString(), "is larger than %s bytes".formatted(MAX_FILE_BYTES));
        return Optional.empty();
      }
      return Optional.of(Files.readString(file));
    } catch (IOException e) {
      skipped(file.toString(), "cannot be read: " + e);
      return Optional.empty();
    }
  }

  McpConfig read(Map<String, String> texts) {
    texts.forEach(this::text);
    return new McpConfig(List.copyOf(servers.values()), problems);
  }

  private void text(String file, String text) {
    JsonNode root;
    try {
      root = JSON.readTree(text);
    } catch (JacksonException e) {
      var at = e.getLocation();
      String place = at == null ? "" : " at line %s".formatted(at.getLineNr());
      // Not the parser's whole message, which repeats what stands there.
      skipped(file, "is not valid JSON%s: %s".formatted(place, firstLine(e.getOriginalMessage())));
      return;
    }
    if (!(root instanceof ObjectNode top)) {
      skipped(file, "is not a JSON object");
      return;
    }
    for (String key : top.propertyNames()) {
      if (!TOP_LEVEL.contains(key)) {
        warn(file + ": " + key, "is not known here and ignored");
      }
    }
    if (!top.path("autoEnableCodemode").asBoolean(true)) {
      warn(
          file + ": autoEnableCodemode", "has no effect: the service itself allows scripts or not");
    }
    JsonNode entries = top.path("mcpServers");
    if (entries instanceof ObjectNode named) {
      named.properties().forEach(entry -> entry(file, entry.getKey(), entry.getValue()));
    } else if (!entries.isMissingNode()) {
      skipped(file, "mcpServers is not an object of servers");
    }
  }

  private void entry(String file, String name, JsonNode json) {
    String where = file + ": mcpServers." + name;
    try {
      if (!(json instanceof ObjectNode fields)) {
        throw new BadEntry("", "is not an object");
      }
      McpEntry entry = new McpEntry(name, fields);
      McpServerConfig server =
          entry.isOverride() ? entry.override(servers.get(name)) : entry.server();
      for (String present : servers.keySet()) {
        if (!present.equals(name) && present.replace('-', '_').equals(name.replace('-', '_'))) {
          throw new BadEntry("", "differs from " + present + " in nothing but - and _");
        }
      }
      servers.put(name, server);
      entry.warnings().forEach((key, message) -> warn(where + "." + key, message));
    } catch (BadEntry e) {
      String place = e.key.isEmpty() ? where : where + "." + e.key;
      problems.add(new McpConfigProblem(place, e.text, Severity.SERVER_SKIPPED));
    }
  }

  private void skipped(String file, String message) {
    problems.add(new McpConfigProblem(file, message, Severity.FILE_SKIPPED));
  }

  private void warn(String where, String message) {
    problems.add(new McpConfigProblem(where, message, Severity.WARNING));
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }

  /** An entry that cannot be used. */
  static final class BadEntry extends Exception {
    private static final long serialVersionUID = 1;

    final String key;
    final String text;

    BadEntry(String key, String text) {
      super(text);
      this.key = key;
      this.text = text;
    }
  }
}
