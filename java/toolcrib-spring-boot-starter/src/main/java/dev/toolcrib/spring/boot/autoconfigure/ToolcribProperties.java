package dev.toolcrib.spring.boot.autoconfigure;

import dev.toolcrib.Limit;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Everything that is set under {@code toolcrib}.
 *
 * @param callTimeout How long a tool may take before the call is given up.
 * @param sourceWait How long sessions wait for a source that is to come, for example an MCP server
 *     that is being connected.
 * @param limits Limits of the registry and its sessions by name; sizes are bytes.
 * @param sessions Sessions kept for conversations.
 * @param caller How callers are made of Spring Security's authentications.
 * @param codemode Scripts that call tools.
 * @param endpoints The HTTP endpoints.
 * @param metrics Meters.
 */
@ConfigurationProperties("toolcrib")
public record ToolcribProperties(
    @DefaultValue("5m") Duration callTimeout,
    @DefaultValue("10s") Duration sourceWait,
    @DefaultValue Map<Limit, Long> limits,
    @DefaultValue Sessions sessions,
    @DefaultValue Caller caller,
    @DefaultValue Codemode codemode,
    @DefaultValue Endpoints endpoints,
    @DefaultValue Metrics metrics) {

  /**
   * Sessions kept for conversations.
   *
   * @param max Most sessions kept; the one used least recently makes room.
   * @param maxPerUser Most sessions kept of one user; the user's own least recently used makes
   *     room.
   * @param idleExpiry How long a session is kept without being used.
   */
  public record Sessions(
      @DefaultValue("10000") int max,
      @DefaultValue("100") int maxPerUser,
      @DefaultValue("30m") Duration idleExpiry) {}

  /**
   * How callers are made of Spring Security's authentications. Without either property, and without
   * a TenantResolver bean, no tenant can be told and everything is denied.
   *
   * @param tenant The tenant of every caller, for a service of one tenant.
   * @param tenantClaim The claim of a token, or the attribute of an OAuth 2.0 principal, that names
   *     the caller's tenant.
   */
  public record Caller(@Nullable String tenant, @Nullable String tenantClaim) {}

  /**
   * Scripts that call tools.
   *
   * @param enabled Whether models may run scripts: tools of exposure CODEMODE are reached by the
   *     tool codemode then, otherwise by tool_search.
   */
  public record Codemode(@DefaultValue("false") boolean enabled) {}

  /**
   * The HTTP endpoints.
   *
   * @param enabled Whether there are the HTTP endpoints list, search and call.
   * @param script Whether there is the endpoint script as well, which runs the scripts that it is
   *     sent.
   * @param basePath Path under which the endpoints are.
   * @param pageSize Tools on a page of the list when the request names no limit.
   * @param maxPageSize Most tools on a page of the list, whatever the request asks for.
   * @param maxBodySize Largest request body.
   * @param challenge The WWW-Authenticate header of a response with status 401.
   */
  public record Endpoints(
      @DefaultValue("false") boolean enabled,
      @DefaultValue("false") boolean script,
      @DefaultValue("/tools") String basePath,
      @DefaultValue("100") int pageSize,
      @DefaultValue("500") int maxPageSize,
      @DefaultValue("2MB") DataSize maxBodySize,
      @DefaultValue("Bearer") String challenge) {}

  /**
   * Meters.
   *
   * @param toolNames Whether calls are tagged with the tool's name, which makes one time series for
   *     each tool that was called.
   */
  public record Metrics(@DefaultValue("false") boolean toolNames) {}
}
