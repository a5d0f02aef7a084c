package dev.toolcrib.mcp.oauth;

import dev.toolcrib.mcp.oauth.JsonHttp.Answer;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The metadata of an authorization server, by RFC 8414 or OpenID Connect Discovery.
 *
 * @param issuer its name, as tokens of it are stored
 * @param tokenEndpoint where tokens are asked for
 * @param authorizationEndpoint where a browser goes; null if nowhere
 * @param registrationEndpoint where clients register; null if nowhere
 * @param authentication how clients may say who they are; empty if that is not said
 * @param s256 whether it says that it checks PKCE with SHA-256
 * @param namesItself whether what it sends back with a browser names it, as RFC 9207 says
 */
record AuthorizationServer(
    String issuer,
    URI tokenEndpoint,
    @Nullable URI authorizationEndpoint,
    @Nullable URI registrationEndpoint,
    List<String> authentication,
    boolean s256,
    boolean namesItself) {

  private static final int MOST_TEXTS = 1_000;

  /**
   * Finds the metadata of an issuer.
   *
   * @param server the MCP server that named it
   */
  static AuthorizationServer find(String issuer, URI server, JsonHttp http) {
    URI address = Addresses.named(issuer, "issuer", server);
    List<URI> places = new ArrayList<>();
    places.add(Addresses.wellKnown(address, "oauth-authorization-server"));
    places.add(Addresses.wellKnown(address, "openid-configuration"));
    if (!Addresses.path(address).isEmpty()) {
      places.add(
          Addresses.at(address, Addresses.path(address) + "/.well-known/openid-configuration"));
    }
    for (URI place : places) {
      Answer metadata = http.metadata(place);
      if (metadata != null) {
        return of(metadata, issuer, server);
      }
    }
    throw new OAuthException("the authorization server %s has no metadata".formatted(issuer));
  }

  private static AuthorizationServer of(Answer metadata, String issuer, URI server) {
    String named = metadata.text("issuer");
    if (named == null || !Addresses.sameIssuer(named, issuer)) {
      throw new OAuthException(
          "the metadata of the authorization server %s are those of another".formatted(issuer));
    }
    return new AuthorizationServer(
        named,
        Addresses.named(metadata.text("token_endpoint"), "token_endpoint of " + issuer, server),
        endpoint(metadata, "authorization_endpoint", issuer, server),
        endpoint(metadata, "registration_endpoint", issuer, server),
        texts(metadata.json(), "token_endpoint_auth_methods_supported"),
        texts(metadata.json(), "code_challenge_methods_supported").contains("S256"),
        metadata.json().path("authorization_response_iss_parameter_supported").asBoolean(false));
  }

  private static @Nullable URI endpoint(Answer metadata, String key, String issuer, URI server) {
    String text = metadata.text(key);
    return text == null ? null : Addresses.named(text, key + " of " + issuer, server);
  }

  static List<String> texts(JsonNode json, String key) {
    List<String> texts = new ArrayList<>();
    for (JsonNode item : json.path(key)) {
      if (item.isString() && texts.size() < MOST_TEXTS) {
        texts.add(item.stringValue());
      }
    }
    return texts;
  }
}
