package dev.toolcrib.mcp;

import static java.util.Objects.requireNonNull;

import dev.toolcrib.mcp.McpServerConfig.Http;
import dev.toolcrib.mcp.oauth.OAuthClient;
import dev.toolcrib.mcp.oauth.OAuthConfig;
import dev.toolcrib.mcp.oauth.OAuthSurroundings;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The clients for the tokens of those servers that are to be asked for OAuth. */
final class OAuthClients implements AutoCloseable {

  private final Wires wires;
  private final OAuthSurroundings surroundings;
  private final ReentrantLock lock = new ReentrantLock();
  // Guarded by the lock.
  private final Map<String, OAuthClient> clients = new HashMap<>();

  OAuthClients(Wires wires, OAuthSurroundings surroundings) {
    this.wires = wires;
    this.surroundings = surroundings;
  }

  /**
   * A client for the tokens of a server, if it is configured and nothing in code takes its place.
   *
   * @param authorized run when somebody has authorized what was waited for
   */
  @Nullable OAuthClient open(McpServerConfig config, Runnable authorized) {
    if (!wires.usesOAuth(config)) {
      return null;
    }
    Http http = (Http) config.endpoint();
    OAuthConfig oauth = requireNonNull(http.oauth());
    return new OAuthClient(
        config.name(), http.url(), oauth, () -> wires.secret(oauth), surroundings, authorized);
  }

  /** Puts a client, or none, in place of the one of a server, which is closed. */
  void replace(String server, @Nullable OAuthClient client) {
    OAuthClient former;
    lock.lock();
    try {
      former = client == null ? clients.remove(server) : clients.put(server, client);
    } finally {
      lock.unlock();
    }
    if (former != null) {
      former.close();
    }
  }

  /** Lets somebody be asked again who did not agree the last time. */
  void askAgain(String server) {
    OAuthClient client;
    lock.lock();
    try {
      client = clients.get(server);
    } finally {
      lock.unlock();
    }
    if (client != null) {
      client.askAgain();
    }
  }

  @Override
  public void close() {
    Map<String, OAuthClient> all;
    lock.lock();
    try {
      all = Map.copyOf(clients);
    } finally {
      lock.unlock();
    }
    all.values().forEach(OAuthClient::close);
  }
}
