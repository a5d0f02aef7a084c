package dev.toolcrib.mcp;

import static java.util.Objects.requireNonNull;

import dev.toolcrib.Exposure;
import dev.toolcrib.mcp.oauth.OAuthConfig;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One MCP server: how to reach it and how its tools are exposed.
 *
 * @param name its name, of {@code A-Z a-z 0-9 _ -}; the name of the source and the namespace of its
 *     tools
 * @param endpoint how to reach it
 * @param description what it is for, in any language; null takes what the server says of itself
 * @param exposure the exposure of tools that no rule of {@code toolExposure} fits
 * @param toolExposure exposures by the server's own tool names, or by patterns in which {@code *}
 *     stands for any run of characters; exact names win over patterns, earlier patterns over later
 *     ones
 * @param domain the business domain of its tools; may be null
 * @param tags tags that each of its tools gets
 * @param enabled whether it is connected at all
 * @param timeout how long a request may take without progress; each progress notification starts it
 *     anew
 */
public record McpServerConfig(
    String name,
    Endpoint endpoint,
    @Nullable String description,
    Exposure exposure,
    Map<String, Exposure> toolExposure,
    @Nullable String domain,
    Set<String> tags,
    boolean enabled,
    Duration timeout) {

  /** How long a request may take without progress, unless set. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,128}");

  /** Checks the name and the timeout. */
  public McpServerConfig {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "the name \"%s\" of an MCP server is not of A-Z a-z 0-9 _ -, 1 to 128 of them"
              .formatted(name));
    }
    requireNonNull(endpoint, "endpoint");
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("the timeout of an MCP server is positive");
    }
    toolExposure = Collections.unmodifiableMap(new LinkedHashMap<>(toolExposure));
    tags = Set.copyOf(tags);
  }

  /** How to reach a server. */
  public sealed interface Endpoint {}

  /**
   * A program that is started and spoken to over its standard input and output. It gets a minimal
   * environment, which names no secrets of this process, and what {@code environment} lists.
   *
   * @param command the program
   * @param arguments its arguments
   * @param environment environment variables; {@code $NAME} and <code>${NAME}</code> in a value
   *     stand for variables of this process
   * @param directory where it runs; null for the directory of this process
   */
  public record Stdio(
      String command,
      List<String> arguments,
      Map<String, String> environment,
      @Nullable Path directory)
      implements Endpoint {

    /** Checks that there is a command. */
    public Stdio {
      if (command.isBlank()) {
        throw new IllegalArgumentException("the command of an MCP server is blank");
      }
      arguments = List.copyOf(arguments);
      environment = Map.copyOf(environment);
    }

    @Override
    public String toString() {
      return "Stdio[%s, %s arguments, environment %s]"
          .formatted(command, arguments.size(), environment.keySet());
    }
  }

  /**
   * A server that is reached by Streamable HTTP.
   *
   * @param url its address, http or https
   * @param headers headers of each request; {@code $NAME} and <code>${NAME}</code> in a value stand
   *     for environment variables of this process
   * @param oauth how tokens are got if the server asks for OAuth; null for not at all
   */
  public record Http(URI url, Map<String, String> headers, @Nullable OAuthConfig oauth)
      implements Endpoint {

    /** Checks the address. */
    public Http {
      String scheme = url.getScheme();
      if (scheme == null || !scheme.matches("(?i)https?") || url.getHost() == null) {
        throw new IllegalArgumentException(
            "the url of an MCP server begins with http:// or https://");
      }
      headers = Map.copyOf(headers);
      if (oauth != null) {
        oauth.checkAddress(url);
      }
    }

    /**
     * A server that asks for no OAuth.
     *
     * @param url its address, http or https
     * @param headers headers of each request
     */
    public Http(URI url, Map<String, String> headers) {
      this(url, headers, null);
    }

    @Override
    public String toString() {
      return "Http[%s://%s, headers %s, oauth %s]"
          .formatted(url.getScheme(), url.getAuthority(), headers.keySet(), oauth);
    }
  }

  /**
   * A server that is a program, with all else as it is unless set.
   *
   * @param name its name
   * @param command the program
   * @param arguments its arguments
   * @return the server
   */
  public static McpServerConfig stdio(String name, String command, String... arguments) {
    return of(name, new Stdio(command, List.of(arguments), Map.of(), null));
  }

  /**
   * A server at an address, with all else as it is unless set.
   *
   * @param name its name
   * @param url its address
   * @return the server
   */
  public static McpServerConfig http(String name, String url) {
    return of(name, new Http(URI.create(url), Map.of()));
  }

  /**
   * A server with all else as it is unless set: exposure {@link Exposure#CODEMODE}, enabled.
   *
   * @param name its name
   * @param endpoint how to reach it
   * @return the server
   */
  public static McpServerConfig of(String name, Endpoint endpoint) {
    return new McpServerConfig(
        name, endpoint, null, Exposure.CODEMODE, Map.of(), null, Set.of(), true, DEFAULT_TIMEOUT);
  }

  /**
   * This server with a description.
   *
   * @param text what it is for
   * @return a new configuration
   */
  public McpServerConfig withDescription(String text) {
    return new McpServerConfig(
        name, endpoint, text, exposure, toolExposure, domain, tags, enabled, timeout);
  }

  /**
   * This server with another exposure.
   *
   * @param value the exposure of its tools, and rules for some of them
   * @param rules exposures by tool name or pattern
   * @return a new configuration
   */
  public McpServerConfig withExposure(Exposure value, Map<String, Exposure> rules) {
    return new McpServerConfig(
        name, endpoint, description, value, rules, domain, tags, enabled, timeout);
  }

  /**
   * This server, enabled or not.
   *
   * @param value whether it is connected at all
   * @return a new configuration
   */
  public McpServerConfig withEnabled(boolean value) {
    return new McpServerConfig(
        name, endpoint, description, exposure, toolExposure, domain, tags, value, timeout);
  }

  /**
   * This server with another timeout.
   *
   * @param value how long a request may take without progress, positive
   * @return a new configuration
   */
  public McpServerConfig withTimeout(Duration value) {
    return new McpServerConfig(
        name, endpoint, description, exposure, toolExposure, domain, tags, enabled, value);
  }

  /**
   * This server with a domain and tags for all its tools, by which rights may be given.
   *
   * @param value the domain; may be null
   * @param labels the tags
   * @return a new configuration
   */
  public McpServerConfig withLabels(@Nullable String value, Collection<String> labels) {
    return new McpServerConfig(
        name,
        endpoint,
        description,
        exposure,
        toolExposure,
        value,
        Set.copyOf(labels),
        enabled,
        timeout);
  }

  /** Whether some of its tools may be declared from the start. */
  boolean mayBeDirect() {
    return exposure == Exposure.DIRECT || toolExposure.containsValue(Exposure.DIRECT);
  }
}
