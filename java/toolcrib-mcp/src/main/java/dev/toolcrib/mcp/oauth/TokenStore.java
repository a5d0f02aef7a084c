package dev.toolcrib.mcp.oauth;

import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps tokens, so that a restart needs no new authorization. Its methods may block. What it keeps
 * is secret. Safe for use by many threads.
 */
public interface TokenStore {

  /**
   * Whose a token is.
   *
   * @param server the name of the MCP server
   * @param resource its address; a server that moves needs another token
   */
  record Key(String server, URI resource) {}

  /**
   * What is kept for a server.
   *
   * @param key whose
   * @return the token, or null
   */
  @Nullable OAuthToken load(Key key);

  /**
   * Keeps a token in place of the former one.
   *
   * @param key whose
   * @param token the token
   */
  void save(Key key, OAuthToken token);

  /**
   * Forgets a token that is no good any more.
   *
   * @param key whose
   */
  void remove(Key key);

  /**
   * A store that lasts as long as this process.
   *
   * @return a new store
   */
  static TokenStore inMemory() {
    Map<Key, OAuthToken> tokens = new ConcurrentHashMap<>();
    return new TokenStore() {
      @Override
      public @Nullable OAuthToken load(Key key) {
        return tokens.get(key);
      }

      @Override
      public void save(Key key, OAuthToken token) {
        tokens.put(key, token);
      }

      @Override
      public void remove(Key key) {
        tokens.remove(key);
      }
    };
  }
}
