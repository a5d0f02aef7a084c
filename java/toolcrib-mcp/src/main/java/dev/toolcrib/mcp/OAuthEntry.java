package dev.toolcrib.mcp;

import dev.toolcrib.mcp.McpConfigReader.BadEntry;
import dev.toolcrib.mcp.oauth.OAuthConfig;
import dev.toolcrib.mcp.oauth.OAuthConfig.Grant;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What an entry has under {@code oauth}. */
final class OAuthEntry {

  private static final Set<String> KEYS =
      Set.of(
          "grant",
          "clientId",
          "clientSecret",
          "scopes",
          "issuer",
          "callbackPort",
          "authorizationTimeout");

  private final ObjectNode json;
  private final Map<String, String> warnings;

  OAuthEntry(ObjectNode json, Map<String, String> warnings) {
    this.json = json;
    this.warnings = warnings;
  }

  OAuthConfig read(URI url) throws BadEntry {
    for (String key : json.propertyNames()) {
      if (!KEYS.contains(key)) {
        warnings.put("oauth." + key, "is not known here and ignored");
      }
    }
    try {
      OAuthConfig config =
          new OAuthConfig(
              grant(),
              text("clientId"),
              text("clientSecret"),
              scopes(),
              issuer(),
              number("callbackPort", 0),
              Duration.ofSeconds(
                  number(
                      "authorizationTimeout",
                      (int) OAuthConfig.DEFAULT_AUTHORIZATION_TIMEOUT.toSeconds())));
      config.checkAddress(url);
      return config;
    } catch (IllegalArgumentException e) {
      throw new BadEntry("oauth", String.valueOf(e.getMessage()));
    }
  }

  private Grant grant() throws BadEntry {
    String key = text("grant");
    for (Grant grant : Grant.values()) {
      if (grant.key().equals(key)) {
        return grant;
      }
    }
    throw new BadEntry("oauth.grant", "is none of client_credentials and authorization_code");
  }

  private @Nullable URI issuer() throws BadEntry {
    String issuer = text("issuer");
    try {
      return issuer == null ? null : new URI(issuer);
    } catch (URISyntaxException e) {
      throw new BadEntry("oauth.issuer", "is no address");
    }
  }

  private List<String> scopes() throws BadEntry {
    List<String> scopes = new ArrayList<>();
    JsonNode value = json.path("scopes");
    if (!value.isMissingNode() && !value.isArray()) {
      throw new BadEntry("oauth.scopes", "is no array of texts");
    }
    for (JsonNode scope : value) {
      if (!scope.isString()) {
        throw new BadEntry("oauth.scopes", "is no array of texts");
      }
      scopes.add(scope.stringValue());
    }
    return scopes;
  }

  private @Nullable String text(String key) throws BadEntry {
    JsonNode value = json.path(key);
    if (value.isMissingNode()) {
      return null;
    }
    if (!value.isString()) {
      throw new BadEntry("oauth." + key, "is no text");
    }
    return value.stringValue();
  }

  private int number(String key, int otherwise) throws BadEntry {
    JsonNode value = json.path(key);
    if (value.isMissingNode()) {
      return otherwise;
    }
    if (!value.isInt()) {
      throw new BadEntry("oauth." + key, "is no whole number");
    }
    return value.intValue();
  }
}
