package dev.toolcrib.mcp.oauth;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Which addresses may be asked, and which are the same. */
final class Addresses {

  private static final int LONGEST = 2_048;

  private Addresses() {}

  /** Whether what is sent there cannot be read on the way: https, or this machine. */
  static boolean isSafe(URI address) {
    return "https".equalsIgnoreCase(address.getScheme())
        || ("http".equalsIgnoreCase(address.getScheme()) && isLoopback(address));
  }

  static boolean isLoopback(URI address) {
    String host = address.getHost();
    return host != null
        && (host.equalsIgnoreCase("localhost")
            || host.equals("[::1]")
            || host.matches("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}"));
  }

  /**
   * An address that a server named. A server elsewhere may not send us to this machine.
   *
   * @param what what it is called in messages
   * @param server the MCP server
   */
  static URI named(@Nullable String text, String what, URI server) {
    URI address = null;
    try {
      address = text == null || text.length() > LONGEST ? null : new URI(text);
    } catch (URISyntaxException e) {
      // As if it were none.
    }
    if (address == null
        || address.getHost() == null
        || address.getRawUserInfo() != null
        || address.getRawFragment() != null) {
      throw new OAuthException("the %s is missing or no address".formatted(what));
    }
    if (!isSafe(address)) {
      throw new OAuthException("the %s is no https address".formatted(what));
    }
    if (isLoopback(address) && !isLoopback(server)) {
      throw new OAuthException("the %s is on this machine, the server is not".formatted(what));
    }
    return address;
  }

  static boolean sameOrigin(URI one, URI other) {
    return origin(one).equals(origin(other));
  }

  /** Scheme, host and port. */
  static String origin(URI address) {
    String scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
    int port = address.getPort() >= 0 ? address.getPort() : scheme.equals("https") ? 443 : 80;
    String host = String.valueOf(address.getHost()).toLowerCase(Locale.ROOT);
    return scheme + "://" + host + ":" + port;
  }

  /** The path without slashes at its end. */
  static String path(URI address) {
    String path = address.getRawPath() == null ? "" : address.getRawPath();
    return path.replaceAll("/+$", "");
  }

  /** An address with a path put between the host and its own path, as RFC 8615 has it. */
  static URI wellKnown(URI address, String name) {
    return at(address, "/.well-known/" + name + path(address));
  }

  static URI at(URI address, String path) {
    return URI.create(address.getScheme() + "://" + address.getRawAuthority() + path);
  }

  /** Whether two issuers are one; a slash at the end is often lost on the way. */
  static boolean sameIssuer(String one, String other) {
    return withoutSlash(one).equals(withoutSlash(other));
  }

  private static String withoutSlash(String text) {
    return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
  }
}
