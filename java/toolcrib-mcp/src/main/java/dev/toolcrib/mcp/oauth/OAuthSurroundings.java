package dev.toolcrib.mcp.oauth;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executor;

/** What the clients for all MCP servers share. */
public final class OAuthSurroundings {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final TokenStore store;
  private final AuthorizationPrompt prompt;
  private final Executor executor;
  private final Clock clock;
  private final JsonHttp http = new JsonHttp(TIMEOUT);

  /**
   * What clients share.
   *
   * @param store where tokens are kept
   * @param prompt who is asked for authorizations
   * @param executor runs what blocks: requests to authorization servers, the store, the prompt
   * @param clock tells when tokens expire
   */
  public OAuthSurroundings(
      TokenStore store, AuthorizationPrompt prompt, Executor executor, Clock clock) {
    this.store = store;
    this.prompt = prompt;
    this.executor = executor;
    this.clock = clock;
  }

  TokenStore store() {
    return store;
  }

  AuthorizationPrompt prompt() {
    return prompt;
  }

  Executor executor() {
    return executor;
  }

  Clock clock() {
    return clock;
  }

  JsonHttp http() {
    return http;
  }
}
