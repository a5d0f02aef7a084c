package dev.toolcrib.mcp.oauth;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks somebody to authorize the service for one MCP server, in a browser and once at a time. Who
 * did not agree is asked again only when that is said.
 */
final class BrowserAuthorization implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OAuthClient.class);

  private final String name;
  private final Duration timeout;
  private final Grants grants;
  private final OAuthSurroundings surroundings;
  private final Consumer<OAuthToken> granted;
  private final Runnable whenAuthorized;
  private final ReentrantLock lock = new ReentrantLock();
  // All guarded by the lock.
  private @Nullable AuthorizationCode open;
  private @Nullable String declined;
  private boolean closed;

  /**
   * One that nobody was asked for yet.
   *
   * @param name the name of the MCP server
   * @param timeout how long the browser may take to come back
   * @param granted takes the token, before {@code whenAuthorized} is run
   */
  BrowserAuthorization(
      String name,
      Duration timeout,
      Grants grants,
      OAuthSurroundings surroundings,
      Consumer<OAuthToken> granted,
      Runnable whenAuthorized) {
    this.name = name;
    this.timeout = timeout;
    this.grants = grants;
    this.surroundings = surroundings;
    this.granted = granted;
    this.whenAuthorized = whenAuthorized;
  }

  /**
   * Why nobody is to be asked now; null if somebody may be. By the time an agreement is not waited
   * for any more, its token is there.
   */
  @Nullable OAuthException objection() {
    lock.lock();
    try {
      if (open != null) {
        return waits();
      }
      return declined == null ? null : new OAuthException(declined);
    } finally {
      lock.unlock();
    }
  }

  private static OAuthException waits() {
    return new OAuthException("it waits for somebody to authorize it in a browser");
  }

  void decline(String why) {
    lock.lock();
    try {
      declined = why;
    } finally {
      lock.unlock();
    }
  }

  void askAgain() {
    lock.lock();
    try {
      declined = null;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Asks; gives what is to be said meanwhile. To be called by one thread at a time, and without an
   * {@link #objection}.
   */
  OAuthException ask(Challenge challenge) {
    Grants.Found found = grants.find(challenge);
    AuthorizationCode authorization = grants.authorization(found);
    boolean over;
    lock.lock();
    try {
      over = closed;
      open = over ? null : authorization;
    } finally {
      lock.unlock();
    }
    if (over) {
      authorization.close();
      return new OAuthException("closed");
    }
    var unused =
        authorization
            .code(timeout)
            .handleAsync(
                (code, failure) -> {
                  answered(found, authorization, code, failure);
                  return null;
                },
                surroundings.executor());
    try {
      surroundings
          .prompt()
          .ask(
              new AuthorizationPrompt.Request(
                  name, authorization.address(found.resource(), found.scopes()), timeout));
    } catch (RuntimeException e) {
      // Ends the wait as well.
      authorization.close();
      return new OAuthException("nobody could be asked to authorize it: " + e.getClass().getName());
    }
    return waits();
  }

  private void answered(
      Grants.Found found,
      AuthorizationCode authorization,
      @Nullable String code,
      @Nullable Throwable failure) {
    String why = failure == null ? null : reason(failure);
    try {
      if (code != null) {
        granted.accept(grants.exchange(found, authorization, code));
      }
    } catch (RuntimeException e) {
      why = reason(e);
    }
    lock.lock();
    try {
      open = null;
      declined = why == null ? null : why + "; reconnect it to ask again";
      if (closed) {
        return;
      }
    } finally {
      lock.unlock();
      authorization.close();
    }
    if (why == null) {
      whenAuthorized.run();
    } else {
      LOG.warn("MCP server {} has no authorization: {}", name, why);
    }
  }

  private static String reason(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof OAuthException ? String.valueOf(cause.getMessage()) : cause.toString();
  }

  @Override
  public void close() {
    AuthorizationCode waiting;
    lock.lock();
    try {
      closed = true;
      waiting = open;
      open = null;
    } finally {
      lock.unlock();
    }
    if (waiting != null) {
      waiting.close();
    }
  }
}
