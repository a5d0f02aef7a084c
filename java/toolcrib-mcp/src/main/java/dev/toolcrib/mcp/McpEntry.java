package dev.toolcrib.mcp;

import dev.toolcrib.Exposure;
import dev.toolcrib.mcp.McpConfigReader.BadEntry;
import dev.toolcrib.mcp.McpServerConfig.Endpoint;
import dev.toolcrib.mcp.McpServerConfig.Http;
import dev.toolcrib.mcp.McpServerConfig.Stdio;
import dev.toolcrib.mcp.oauth.OAuthConfig;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One entry of {@code mcpServers}. */
final class McpEntry {

  private static final Set<String> OVERRIDABLE = Set.of("enabled", "exposure", "toolExposure");
  private static final Set<String> COMMON =
      Set.of(
          "type",
          "exposure",
          "toolExposure",
          "description",
          "enabled",
          "timeout",
          "domain",
          "tags");
  private static final Set<String> STDIO = Set.of("command", "args", "env", "cwd");
  private static final Set<String> HTTP = Set.of("url", "headers", "oauth");
  private static final long LONGEST_TIMEOUT_SECONDS = Duration.ofDays(1).toSeconds();

  private final String name;
  private final ObjectNode json;
  private final Map<String, String> warnings = new LinkedHashMap<>();

  McpEntry(String name, ObjectNode json) {
    this.name = name;
    this.json = json;
  }

  /** What was ignored, by key. */
  Map<String, String> warnings() {
    return warnings;
  }

  boolean isOverride() {
    return !json.has("command") && !json.has("url") && !json.has("type");
  }

  McpServerConfig override(@Nullable McpServerConfig base) throws BadEntry {
    if (base == null) {
      throw new BadEntry("", "needs command or url, or a server of an earlier file to override");
    }
    for (String key : json.propertyNames()) {
      if (!OVERRIDABLE.contains(key)) {
        throw new BadEntry(
            key, "cannot be overridden; only enabled, exposure and toolExposure can");
      }
    }
    return base.withEnabled(enabled(base.enabled()))
        .withExposure(
            exposure(base.exposure()),
            json.has("toolExposure") ? toolExposure() : base.toolExposure());
  }

  McpServerConfig server() throws BadEntry {
    if (json.has("disabled")) {
      throw new BadEntry("disabled", "is not known here, say \"enabled\": false");
    }
    try {
      Endpoint endpoint = json.has("command") ? stdio() : http();
      return new McpServerConfig(
          name,
          endpoint,
          text("description"),
          exposure(Exposure.CODEMODE),
          toolExposure(),
          text("domain"),
          Set.copyOf(texts("tags")),
          enabled(true),
          timeout());
    } catch (IllegalArgumentException e) {
      throw new BadEntry("", String.valueOf(e.getMessage()));
    }
  }

  private Endpoint stdio() throws BadEntry {
    String type = type("stdio");
    if (!type.equals("stdio") || json.has("url")) {
      throw new BadEntry("", "has a command, so it cannot have a url or another type than stdio");
    }
    warnOfUnknown(STDIO);
    String command = text("command");
    if (command == null || command.isBlank()) {
      throw new BadEntry("command", "is blank");
    }
    List<String> arguments = new ArrayList<>();
    for (String argument : texts("args")) {
      arguments.add(home(argument));
    }
    String directory = text("cwd");
    return new Stdio(
        home(command), arguments, map("env"), directory == null ? null : Path.of(home(directory)));
  }

  private Endpoint http() throws BadEntry {
    String type = type("http");
    if (type.equals("sse")) {
      throw new BadEntry(
          "type", "\"sse\" is not supported, use the server's Streamable HTTP address");
    }
    if (!type.equals("http") && !type.equals("streamable-http")) {
      throw new BadEntry("type", "is none of stdio, http and streamable-http");
    }
    warnOfUnknown(HTTP);
    String url = text("url");
    if (url == null) {
      throw new BadEntry("", "needs either command or url");
    }
    try {
      Http http = new Http(new URI(url), map("headers"));
      return json.has("oauth") ? new Http(http.url(), http.headers(), oauth(http.url())) : http;
    } catch (URISyntaxException | IllegalArgumentException e) {
      throw new BadEntry("url", "is no address that begins with http:// or https://");
    }
  }

  private OAuthConfig oauth(URI url) throws BadEntry {
    if (!(json.path("oauth") instanceof ObjectNode object)) {
      throw new BadEntry("oauth", "is no object");
    }
    OAuthEntry entry = new OAuthEntry(object, warnings);
    return entry.read(url);
  }

  private void warnOfUnknown(Set<String> own) {
    for (String key : json.propertyNames()) {
      if (key.equals("auth")) {
        warnings.put(
            key, "is not supported and ignored; use oauth, or give a bearer supplier in code");
      } else if (!COMMON.contains(key) && !own.contains(key)) {
        warnings.put(key, "is not known here and ignored");
      }
    }
  }

  private String type(String otherwise) throws BadEntry {
    String type = text("type");
    return type == null ? otherwise : type;
  }

  private boolean enabled(boolean otherwise) throws BadEntry {
    JsonNode value = json.path("enabled");
    if (value.isMissingNode()) {
      return otherwise;
    }
    if (!value.isBoolean()) {
      throw new BadEntry("enabled", "is neither true nor false");
    }
    return value.booleanValue();
  }

  private Duration timeout() throws BadEntry {
    JsonNode value = json.path("timeout");
    if (value.isMissingNode()) {
      return McpServerConfig.DEFAULT_TIMEOUT;
    }
    double seconds = value.isNumber() ? value.doubleValue() : -1;
    if (!(seconds > 0) || seconds > LONGEST_TIMEOUT_SECONDS) {
      throw new BadEntry(
          "timeout", "is no number of seconds above 0 and up to " + LONGEST_TIMEOUT_SECONDS);
    }
    return Duration.ofMillis(Math.max(1, Math.round(seconds * 1000)));
  }

  private Exposure exposure(Exposure otherwise) throws BadEntry {
    JsonNode value = json.path("exposure");
    return value.isMissingNode() ? otherwise : exposure("exposure", value);
  }

  private Map<String, Exposure> toolExposure() throws BadEntry {
    Map<String, Exposure> rules = new LinkedHashMap<>();
    JsonNode value = json.path("toolExposure");
    if (value instanceof ObjectNode named) {
      for (var rule : named.properties()) {
        rules.put(rule.getKey(), exposure("toolExposure." + rule.getKey(), rule.getValue()));
      }
    } else if (!value.isMissingNode()) {
      throw new BadEntry("toolExposure", "does not map tool names to exposures");
    }
    return rules;
  }

  private static Exposure exposure(String key, JsonNode value) throws BadEntry {
    return switch (value.isString() ? value.stringValue().toLowerCase(Locale.ROOT) : "") {
      case "direct" -> Exposure.DIRECT;
      case "codemode", "codemode-deferred" -> Exposure.CODEMODE;
      case "deferred" -> Exposure.DEFERRED;
      case "hidden" -> Exposure.HIDDEN;
      default -> throw new BadEntry(key, "is none of direct, codemode, deferred and hidden");
    };
  }

  private @Nullable String text(String key) throws BadEntry {
    JsonNode value = json.path(key);
    if (value.isMissingNode()) {
      return null;
    }
    if (!value.isString()) {
      throw new BadEntry(key, "is no text");
    }
    return value.stringValue();
  }

  private List<String> texts(String key) throws BadEntry {
    List<String> texts = new ArrayList<>();
    JsonNode value = json.path(key);
    if (!value.isMissingNode() && !value.isArray()) {
      throw new BadEntry(key, "is no array of texts");
    }
    for (JsonNode item : value) {
      if (!item.isString()) {
        throw new BadEntry(key, "is no array of texts");
      }
      texts.add(item.stringValue());
    }
    return texts;
  }

  private Map<String, String> map(String key) throws BadEntry {
    Map<String, String> map = new LinkedHashMap<>();
    JsonNode value = json.path(key);
    if (!value.isMissingNode() && !value.isObject()) {
      throw new BadEntry(key, "does not map names to texts");
    }
    for (var entry : value.properties()) {
      if (!entry.getValue().isString()) {
        throw new BadEntry(key + "." + entry.getKey(), "is no text");
      }
      map.put(entry.getKey(), entry.getValue().stringValue());
    }
    return map;
  }

  private static String home(String text) {
    boolean inHome = text.equals("~") || text.startsWith("~/");
    return inHome ? System.getProperty("user.home") + text.substring(1) : text;
  }
}
