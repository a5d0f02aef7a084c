package dev.toolcrib.spring.boot.mcp;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/**
 * Tells MCP clients which authorization servers issue the tokens that the endpoint takes, as RFC
 * 9728 says. To be open to everybody in the service's security.
 */
@RestController
public final class ProtectedResourceController {

  private final String path;
  private final List<String> authorizationServers;

  ProtectedResourceController(String path, List<String> authorizationServers) {
    this.path = path;
    this.authorizationServers = authorizationServers;
  }

  /**
   * The metadata.
   *
   * @param request to tell the address by which clients reach the service
   * @return the metadata of RFC 9728, or status 404 if no authorization server is configured
   */
  @GetMapping(
      path = {
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource${toolcrib.mcp.server.path:/mcp}"
      },
      produces = MediaType.APPLICATION_JSON_VALUE)
  public ResponseEntity<Map<String, Object>> metadata(HttpServletRequest request) {
    if (authorizationServers.isEmpty()) {
      return ResponseEntity.notFound().build();
    }
    String resource =
        ServletUriComponentsBuilder.fromContextPath(request).path(path).build().toUriString();
    return ResponseEntity.ok(
        Map.of(
            "resource", resource,
            "authorization_servers", authorizationServers,
            "bearer_methods_supported", List.of("header")));
  }
}
