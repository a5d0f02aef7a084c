package dev.toolcrib.spring.boot.mcp;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.http.MediaType;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tells MCP clients which authorization servers issue the tokens that the endpoint takes, as RFC
 * 9728 says: for the endpoint and for the host, whose metadata Spring Security names in its own
 * challenges.
 */
final class ProtectedResourceFilter extends OncePerRequestFilter {

  /** Where RFC 9728 puts the metadata of a host; a resource's path follows it. */
  static final String WELL_KNOWN = "/.well-known/oauth-protected-resource";

  /**
   * Before the filters of Spring Security, which are at -100: its resource server answers these
   * addresses too, with metadata that name no authorization server, and these are for everybody.
   */
  static final int ORDER = -101;

  private final List<String> authorizationServers;

  ProtectedResourceFilter(List<String> authorizationServers) {
    this.authorizationServers = authorizationServers;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (!request.getMethod().equals("GET")) {
      chain.doFilter(request, response);
      return;
    }
    String within = request.getRequestURI().substring(request.getContextPath().length());
    String resource =
        ServletUriComponentsBuilder.fromContextPath(request)
            .path(within.substring(WELL_KNOWN.length()))
            .build()
            .toUriString();
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("resource", resource);
    metadata.put("authorization_servers", authorizationServers);
    metadata.put("bearer_methods_supported", List.of("header"));
    byte[] json = JsonMapper.shared().writeValueAsBytes(metadata);
    response.setContentType(MediaType.APPLICATION_JSON_VALUE);
    response.setContentLength(json.length);
    response.getOutputStream().write(json);
  }
}
