package dev.toolcrib.mcp.oauth;

import java.net.URI;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks somebody to open an address in a browser on this machine and to agree there. */
@FunctionalInterface
public interface AuthorizationPrompt {

  /**
   * What is asked.
   *
   * @param server the name of the MCP server that wants a token
   * @param url where to agree
   * @param timeout how long the answer is waited for
   */
  record Request(String server, URI url, Duration timeout) {}

  /**
   * Asks, and does not wait for the answer. May block; what it throws ends the authorization.
   *
   * @param request what is asked
   */
  void ask(Request request);

  /**
   * Writes the address to the log.
   *
   * @return the prompt that is used unless another is set
   */
  static AuthorizationPrompt logging() {
    Logger log = LoggerFactory.getLogger(AuthorizationPrompt.class);
    return request ->
        log.warn(
            "MCP server {} wants an authorization; open this address on this machine within {} s:"
                + " {}",
            request.server(),
            request.timeout().toSeconds(),
            request.url());
  }
}
