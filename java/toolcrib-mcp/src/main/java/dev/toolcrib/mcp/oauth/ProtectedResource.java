package dev.toolcrib.mcp.oauth;

import dev.toolcrib.mcp.oauth.JsonHttp.Answer;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an MCP server says of itself as RFC 9728 has it.
 *
 * @param resource what tokens are asked for
 * @param authorizationServers the issuers whose tokens it takes; may be empty
 * @param scopes the scopes it names; may be empty
 */
record ProtectedResource(String resource, List<String> authorizationServers, List<String> scopes) {

  /**
   * Finds the metadata of a server: where its challenge says, else at the well-known places.
   *
   * @param place what the challenge says; may be null
   * @return the metadata, or null if there are none
   */
  static @Nullable ProtectedResource find(URI server, @Nullable String place, JsonHttp http) {
    if (place != null) {
      URI address = Addresses.named(place, "resource_metadata of the challenge", server);
      if (!Addresses.sameOrigin(address, server)) {
        throw new OAuthException("the challenge names resource_metadata of another host");
      }
      Answer answer = http.metadata(address);
      if (answer == null) {
        throw new OAuthException("the resource_metadata that the challenge names are not there");
      }
      return of(answer, server);
    }
    Answer answer = http.metadata(Addresses.wellKnown(server, "oauth-protected-resource"));
    if (answer == null && !Addresses.path(server).isEmpty()) {
      answer = http.metadata(Addresses.at(server, "/.well-known/oauth-protected-resource"));
    }
    return answer == null ? null : of(answer, server);
  }

  private static ProtectedResource of(Answer answer, URI server) {
    String resource = answer.text("resource");
    URI address = Addresses.named(resource, "resource in the server's metadata", server);
    // RFC 9728 wants the very address. Many servers name their host or a part of the path.
    if (!Addresses.sameOrigin(address, server)
        || !(Addresses.path(server) + "/").startsWith(Addresses.path(address) + "/")) {
      throw new OAuthException("the server's metadata are those of another resource");
    }
    return new ProtectedResource(
        String.valueOf(resource),
        AuthorizationServer.texts(answer.json(), "authorization_servers"),
        AuthorizationServer.texts(answer.json(), "scopes_supported"));
  }
}
