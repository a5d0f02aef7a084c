package dev.toolcrib.spring.boot.mcp;

import dev.toolcrib.Exposure;
import dev.toolcrib.mcp.McpServerConfig;
import dev.toolcrib.mcp.oauth.OAuthConfig;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Everything that is set under {@code toolcrib.mcp}.
 *
 * @param files Files in the form of mcp.json whose servers become sources; later ones win.
 * @param servers Servers that become sources, by name; they win over those of files.
 * @param commandSubstitution Whether values of env and headers that begin with an exclamation mark
 *     are run as shell commands.
 * @param connectTimeout How long connecting to a server may take, listing its tools included.
 * @param directWait How long the start of the service waits for servers with direct tools.
 * @param callWait How long a call waits for its server while that is being connected.
 * @param maxCallTime How long a call may take in all, however much progress its server tells.
 * @param maxCallerConnections Most callers with a connection of their own to one server.
 * @param callerConnectionIdle How long the connection of a caller is kept without being used.
 * @param maxMessageSize Largest message of a server.
 * @param firstRetry How long to wait before a server is tried again for the first time.
 * @param longestRetry How long to wait at most before a server is tried again.
 * @param server The tools of this service, served to MCP clients.
 */
@ConfigurationProperties("toolcrib.mcp")
public record ToolcribMcpProperties(
    @DefaultValue List<Path> files,
    @DefaultValue Map<String, Source> servers,
    @DefaultValue("false") boolean commandSubstitution,
    @DefaultValue("30s") Duration connectTimeout,
    @DefaultValue("10s") Duration directWait,
    @DefaultValue("10s") Duration callWait,
    @DefaultValue("10m") Duration maxCallTime,
    @DefaultValue("100") int maxCallerConnections,
    @DefaultValue("10m") Duration callerConnectionIdle,
    @DefaultValue("16MB") DataSize maxMessageSize,
    @DefaultValue("1s") Duration firstRetry,
    @DefaultValue("5m") Duration longestRetry,
    @DefaultValue Server server) {

  /**
   * A server that becomes a source. Either command or url is set.
   *
   * @param command Program to start.
   * @param args Arguments of the program.
   * @param env Environment variables of the program, beside a minimal environment.
   * @param cwd Directory in which the program runs.
   * @param url Address of a server that is reached by Streamable HTTP.
   * @param headers Headers of each request.
   * @param oauth How tokens are got if the server asks for OAuth.
   * @param description What the server is for.
   * @param exposure Exposure of its tools.
   * @param toolExposure Exposure of single tools, by their names or patterns with asterisks.
   * @param domain Business domain of its tools.
   * @param tags Tags of each of its tools.
   * @param enabled Whether it is connected.
   * @param timeout How long a request may take without progress.
   */
  public record Source(
      @Nullable String command,
      @DefaultValue List<String> args,
      @DefaultValue Map<String, String> env,
      @Nullable Path cwd,
      @Nullable URI url,
      @DefaultValue Map<String, String> headers,
      @Nullable OAuth oauth,
      @Nullable String description,
      @DefaultValue("codemode") Exposure exposure,
      @DefaultValue Map<String, Exposure> toolExposure,
      @Nullable String domain,
      @DefaultValue Set<String> tags,
      @DefaultValue("true") boolean enabled,
      @DefaultValue("60s") Duration timeout) {

    McpServerConfig toConfig(String name) {
      if ((command == null) == (url == null)) {
        throw new IllegalArgumentException(
            "toolcrib.mcp.servers.%s needs either command or url".formatted(name));
      }
      McpServerConfig.Endpoint endpoint =
          command != null
              ? new McpServerConfig.Stdio(command, args, env, cwd)
              : new McpServerConfig.Http(
                  java.util.Objects.requireNonNull(url),
                  headers,
                  oauth == null ? null : oauth.toConfig());
      return new McpServerConfig(
          name, endpoint, description, exposure, toolExposure, domain, tags, enabled, timeout);
    }
  }

  /**
   * How tokens are got for a server that asks for OAuth.
   *
   * @param grant How they are asked for.
   * @param clientId Identifier of the service at the authorization server; registered there if it
   *     is not set.
   * @param clientSecret Secret of the service there.
   * @param scopes What is asked for.
   * @param issuer The authorization server.
   * @param callbackPort Port on 127.0.0.1 that the browser is sent back to; 0 for any.
   * @param authorizationTimeout How long the browser may take to come back.
   */
  public record OAuth(
      OAuthConfig.Grant grant,
      @Nullable String clientId,
      @Nullable String clientSecret,
      @DefaultValue List<String> scopes,
      @Nullable URI issuer,
      @DefaultValue("0") int callbackPort,
      @DefaultValue("5m") Duration authorizationTimeout) {

    OAuthConfig toConfig() {
      return new OAuthConfig(
          grant, clientId, clientSecret, scopes, issuer, callbackPort, authorizationTimeout);
    }

    @Override
    public String toString() {
      return toConfig().toString();
    }
  }

  /**
   * The tools of this service, served to MCP clients.
   *
   * @param enabled Whether they are served.
   * @param path Path of the endpoint.
   * @param stateless Whether nothing is kept of a client between its requests.
   * @param sessionMode Whether tools that a session found appear in its own list.
   * @param name Name of the server.
   * @param title Title of the server, for people.
   * @param instructions What models are told about the server.
   * @param withheld Meta-tools that are not offered.
   * @param codemode Whether clients may run scripts that call tools.
   * @param pageSize Most tools on a page of the list.
   * @param wholeResults Whether clients get results whole; otherwise previews.
   * @param allowedOrigins Origins of web pages on other hosts that may ask.
   * @param maxBodySize Largest request.
   * @param maxSessions Most sessions of all clients.
   * @param maxSessionsOfCaller Most sessions of one caller.
   * @param idleExpiry How long a session is kept without being used.
   * @param authorizationServers Issuers of the tokens that the endpoint takes, told to clients that
   *     come without one.
   */
  public record Server(
      @DefaultValue("false") boolean enabled,
      @DefaultValue("/mcp") String path,
      @DefaultValue("false") boolean stateless,
      @DefaultValue("false") boolean sessionMode,
      @DefaultValue("toolcrib") String name,
      @Nullable String title,
      @Nullable String instructions,
      @DefaultValue Set<String> withheld,
      @DefaultValue("false") boolean codemode,
      @DefaultValue("500") int pageSize,
      @DefaultValue("true") boolean wholeResults,
      @DefaultValue Set<String> allowedOrigins,
      @DefaultValue("2MB") DataSize maxBodySize,
      @DefaultValue("10000") int maxSessions,
      @DefaultValue("100") int maxSessionsOfCaller,
      @DefaultValue("30m") Duration idleExpiry,
      @DefaultValue List<String> authorizationServers) {}
}
