package dev.toolcrib.mcp.oauth;

import static java.util.Objects.requireNonNull;

import dev.toolcrib.mcp.oauth.OAuthConfig.Grant;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens of this service for one MCP server. One of them is asked for at a time, however many
 * requests want it; nothing here waits while it holds the lock. Safe for use by many threads.
 */
public final class OAuthClient implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OAuthClient.class);

  /** How long before it expires a token is refreshed; less for tokens that are short-lived. */
  private static final Duration EARLY = Duration.ofSeconds(30);

  /** How long after a failure an early refresh is not tried again. */
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final String name;
  private final OAuthConfig config;
  private final TokenStore.Key key;
  private final OAuthSurroundings surroundings;
  private final Grants grants;
  private final BrowserAuthorization browser;
  private final ReentrantLock lock = new ReentrantLock();
  // All guarded by the lock.
  private @Nullable OAuthToken token;
  private @Nullable Instant renewAt;
  private boolean loaded;
  private boolean fresh;
  private @Nullable CompletableFuture<@Nullable OAuthToken> flight;
  private boolean closed;

  /**
   * A client that has asked for nothing yet.
   *
   * @param name the name of the MCP server
   * @param url its address, https or on this machine
   * @param config how tokens are asked for
   * @param secret the client's secret with its variables expanded, or null
   * @param surroundings what all clients share
   * @param whenAuthorized run when somebody has authorized what was waited for
   */
  public OAuthClient(
      String name,
      URI url,
      OAuthConfig config,
      Supplier<@Nullable String> secret,
      OAuthSurroundings surroundings,
      Runnable whenAuthorized) {
    config.checkAddress(url);
    this.name = name;
    this.config = config;
    this.surroundings = surroundings;
    key = new TokenStore.Key(name, url);
    grants = new Grants(url, config, secret, surroundings.http(), surroundings.clock());
    browser =
        new BrowserAuthorization(
            name, config.authorizationTimeout(), grants, surroundings, this::adopt, whenAuthorized);
  }

  /**
   * The token for one request.
   *
   * @return the token, or null as long as the server has not asked for one; fails with an {@link
   *     OAuthException} if it expired and cannot be renewed
   */
  public CompletableFuture<@Nullable String> token() {
    lock.lock();
    try {
      OAuthToken current = token;
      Instant now = surroundings.clock().instant();
      boolean due =
          renewAt != null && !now.isBefore(renewAt) && current != null && renewable(current);
      CompletableFuture<@Nullable OAuthToken> awaited = flight;
      if (awaited == null && due) {
        OAuthToken old = requireNonNull(current);
        awaited = start(() -> renew(old));
      } else if (awaited == null && !loaded) {
        awaited = start(this::load);
      }
      boolean usable = current != null && !current.expiresWithin(Duration.ZERO, now);
      if (awaited == null || usable) {
        return CompletableFuture.completedFuture(current == null ? null : current.accessToken());
      }
      return awaited.thenApply(got -> got == null ? null : got.accessToken());
    } finally {
      lock.unlock();
    }
  }

  /** Says that the server took the current token. */
  public void accepted() {
    lock.lock();
    try {
      fresh = false;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Says that the server refused a request.
   *
   * @param status 401 or 403
   * @param challenges its {@code WWW-Authenticate} headers
   * @param used the token that the request had; null if none
   * @return completes with true if there is another token now; fails with an {@link OAuthException}
   *     that says what to do
   */
  public CompletableFuture<Boolean> refused(
      int status, List<String> challenges, @Nullable String used) {
    Challenge challenge = Challenge.of(challenges);
    CompletableFuture<@Nullable OAuthToken> awaited;
    lock.lock();
    try {
      OAuthToken current = token;
      if (status == 403) {
        return insufficient(challenge, current);
      }
      if (closed) {
        return CompletableFuture.completedFuture(false);
      }
      if (current != null && !current.accessToken().equals(used)) {
        return CompletableFuture.completedFuture(true);
      }
      if (current != null && fresh) {
        return distrust(current);
      }
      awaited = flight == null ? start(() -> obtain(challenge, current)) : flight;
    } finally {
      lock.unlock();
    }
    return awaited.thenApply(got -> got != null && !got.accessToken().equals(used));
  }

  private static CompletableFuture<Boolean> insufficient(
      Challenge challenge, @Nullable OAuthToken current) {
    if (!"insufficient_scope".equals(challenge.get("error"))) {
      return CompletableFuture.completedFuture(false);
    }
    String wanted = challenge.get("scope");
    String had = current == null ? null : current.scope();
    return CompletableFuture.failedFuture(
        new OAuthException(
            "the server wants %s for this, the token has %s; add them to oauth.scopes"
                .formatted(
                    wanted == null ? "other scopes" : "the scopes " + printable(wanted),
                    had == null ? "others" : printable(had)),
            OAuthException.Kind.INSUFFICIENT_SCOPE));
  }

  /** A token that was got a moment ago and never taken: more of its kind would not help. */
  private CompletableFuture<Boolean> distrust(OAuthToken current) {
    token = null;
    renewAt = null;
    fresh = false;
    String why =
        "the server refuses the token that %s gave for %s"
            .formatted(current.issuer(), current.resource());
    if (config.grant() == Grant.AUTHORIZATION_CODE) {
      browser.decline(why);
    }
    try {
      surroundings.executor().execute(this::forget);
    } catch (RejectedExecutionException e) {
      LOG.debug("closed", e);
    }
    return CompletableFuture.failedFuture(new OAuthException(why));
  }

  /** Lets somebody be asked again who did not agree the last time. */
  public void askAgain() {
    browser.askAgain();
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    browser.close();
  }

  private boolean renewable(OAuthToken current) {
    return current.refreshToken() != null || config.grant() == Grant.CLIENT_CREDENTIALS;
  }

  // The lock is held.
  private CompletableFuture<@Nullable OAuthToken> start(Supplier<@Nullable OAuthToken> work) {
    CompletableFuture<@Nullable OAuthToken> started = new CompletableFuture<>();
    flight = started;
    try {
      surroundings.executor().execute(() -> run(started, work));
    } catch (RejectedExecutionException e) {
      flight = null;
      started.completeExceptionally(new OAuthException("closed"));
    }
    return started;
  }

  private void run(
      CompletableFuture<@Nullable OAuthToken> started, Supplier<@Nullable OAuthToken> work) {
    OAuthToken got = null;
    Throwable failure = null;
    try {
      got = work.get();
    } catch (RuntimeException | StackOverflowError e) {
      failure = e;
    }
    lock.lock();
    try {
      flight = null;
    } finally {
      lock.unlock();
    }
    if (failure == null) {
      started.complete(got);
    } else {
      started.completeExceptionally(failure);
    }
  }

  private @Nullable OAuthToken load() {
    OAuthToken stored = null;
    try {
      stored = surroundings.store().load(key);
    } catch (RuntimeException e) {
      LOG.warn("the token of MCP server {} cannot be loaded: {}", name, e.getClass().getName());
    }
    if (stored != null && !grants.fits(stored)) {
      stored = null;
    }
    lock.lock();
    try {
      loaded = true;
      if (stored != null) {
        hold(stored);
        fresh = false;
      }
    } finally {
      lock.unlock();
    }
    return stored != null
            && renewable(stored)
            && stored.expiresWithin(Duration.ZERO, surroundings.clock().instant())
        ? renew(stored)
        : stored;
  }

  /** A token in place of one that expires; null if somebody has to be asked. */
  private @Nullable OAuthToken renew(OAuthToken old) {
    try {
      OAuthToken renewed = grants.refresh(old);
      if (renewed == null && config.grant() == Grant.CLIENT_CREDENTIALS) {
        // Null if it has not been found out; then the server's next refusal says it.
        renewed = grants.clientCredentialsAgain();
      }
      return renewed == null ? drop(old) : adopt(renewed);
    } catch (OAuthException e) {
      Instant now = surroundings.clock().instant();
      lock.lock();
      try {
        renewAt = now.plus(PAUSE);
      } finally {
        lock.unlock();
      }
      LOG.warn("the token of MCP server {} was not renewed: {}", name, e.getMessage());
      throw e;
    }
  }

  /** Gives a token up. One that has taken its place meanwhile is kept, and returned. */
  private @Nullable OAuthToken drop(OAuthToken old) {
    lock.lock();
    try {
      if (!old.equals(token)) {
        return token;
      }
      token = null;
      renewAt = null;
    } finally {
      lock.unlock();
    }
    forget();
    return null;
  }

  /** A token where the server wants one, or another one. */
  private OAuthToken obtain(Challenge challenge, @Nullable OAuthToken refused) {
    OAuthToken renewed = refused == null ? null : grants.refresh(refused);
    if (renewed != null) {
      return adopt(renewed);
    }
    if (refused != null) {
      drop(refused);
    }
    return config.grant() == Grant.AUTHORIZATION_CODE
        ? authorized(challenge)
        : adopt(grants.clientCredentials(grants.find(challenge)));
  }

  /** A token that somebody has agreed to since the refusal; asks for it where nobody has. */
  private OAuthToken authorized(Challenge challenge) {
    OAuthException objection = browser.objection();
    if (objection != null) {
      throw objection;
    }
    OAuthToken granted;
    lock.lock();
    try {
      granted = token;
    } finally {
      lock.unlock();
    }
    if (granted != null) {
      return granted;
    }
    throw browser.ask(challenge);
  }

  private OAuthToken adopt(OAuthToken got) {
    lock.lock();
    try {
      hold(got);
      loaded = true;
      fresh = true;
    } finally {
      lock.unlock();
    }
    try {
      surroundings.store().save(key, got);
    } catch (RuntimeException e) {
      LOG.warn("the token of MCP server {} cannot be stored: {}", name, e.getClass().getName());
    }
    return got;
  }

  // The lock is held.
  private void hold(OAuthToken got) {
    token = got;
    Instant end = got.expiresAt();
    if (end == null) {
      renewAt = null;
      return;
    }
    Duration fifth = Duration.between(surroundings.clock().instant(), end).dividedBy(5);
    renewAt = end.minus(fifth.compareTo(EARLY) < 0 ? fifth : EARLY);
  }

  private void forget() {
    try {
      surroundings.store().remove(key);
    } catch (RuntimeException e) {
      LOG.warn("the token of MCP server {} cannot be removed: {}", name, e.getClass().getName());
    }
  }

  private static String printable(String text) {
    String shown = text.replaceAll("[^\\x20-\\x7E]", "?");
    return shown.length() > 500 ? shown.substring(0, 500) : shown;
  }
}
