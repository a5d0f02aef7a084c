package dev.toolcrib.mcp;

import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolcribException;
import dev.toolcrib.mcp.oauth.AuthorizationPrompt;
import dev.toolcrib.mcp.oauth.OAuthClient;
import dev.toolcrib.mcp.oauth.OAuthSurroundings;
import dev.toolcrib.mcp.oauth.TokenStore;
import io.modelcontextprotocol.spec.McpClientTransport;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * MCP servers as sources of a registry. They are connected in the background, each on its own: its
 * tools are published when it says what it has, once more whenever it says that they changed, and
 * stay when it goes away. A call of such a tool then says that the server is not there, and the
 * server is tried again, at longer and longer intervals and when its tools are called.
 *
 * <p>A call is sent once and never again by itself. It fails if the server answers nothing within
 * its {@linkplain McpServerConfig#timeout() timeout}; each progress notification starts that anew,
 * up to a {@linkplain Builder#maxCallTime longest time} in all.
 *
 * <p>Safe for use by many threads. Close it before the registry.
 */
public final class McpSources implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(McpSources.class);

  /** How long to wait, at the start, for servers with tools that are declared from the start. */
  public static final Duration DEFAULT_WAIT = Duration.ofSeconds(10);

  /** How long one call may take in all, however much progress its server tells. */
  public static final Duration DEFAULT_MAX_CALL_TIME = Duration.ofMinutes(10);

  /** How many callers have a connection of their own to one server at the same time. */
  public static final int DEFAULT_CALLER_CONNECTIONS = 100;

  /** How long the connection of a caller is kept that nobody uses. */
  public static final Duration DEFAULT_CALLER_CONNECTION_IDLE = Duration.ofMinutes(10);

  private static final Duration CLOSE_WAIT = Duration.ofSeconds(5);

  private final ToolRegistry registry;
  private final McpRuntime runtime;
  private final CallControl control = new CallControl();
  private final Wires wires;
  private final CallerConnections.Bounds callerConnections;
  private final OAuthClients oauths;
  private final ReentrantLock lock = new ReentrantLock();
  // Guarded by the lock.
  private final Map<String, ManagedServer> servers = new TreeMap<>();
  private boolean closed;

  private McpSources(Builder builder) {
    registry = builder.registry;
    runtime =
        new McpRuntime(
            registry,
            new McpRuntime.Times(
                builder.connectTimeout,
                builder.callWait,
                builder.maxCallTime,
                builder.refreshDelay,
                new Backoff(builder.firstRetry, builder.longestRetry)));
    wires =
        new Wires(
            new Variables(builder.environment, builder.commands),
            builder.tokens,
            builder.transports,
            builder.connectTimeout,
            builder.maxMessageBytes);
    callerConnections =
        new CallerConnections.Bounds(builder.maxCallerConnections, builder.callerConnectionIdle);
    oauths =
        new OAuthClients(
            wires,
            new OAuthSurroundings(
                builder.tokenStore, builder.prompt, runtime.authorizers(), builder.clock));
  }

  /**
   * Starts collecting what is needed.
   *
   * @param registry where the tools go; not closed with this
   * @return a builder
   */
  public static Builder builder(ToolRegistry registry) {
    return new Builder(registry);
  }

  /** This library's version, for servers. */
  static String version() {
    String version = McpSources.class.getPackage().getImplementationVersion();
    return version == null ? "0" : version;
  }

  /**
   * Adds a server, or replaces the one of its name, whose connection is closed then.
   *
   * @param config the server
   * @throws IllegalStateException if this is closed
   */
  public void put(McpServerConfig config) {
    OAuthClient oauth = oauths.open(config, () -> connect(config.name()));
    CallerConnections callers =
        wires.knowsCallers(config)
            ? new CallerConnections(
                config.name(),
                caller -> wires.wire(config, null, caller),
                runtime,
                callerConnections)
            : null;
    ManagedServer server =
        new ManagedServer(config, () -> wires.wire(config, oauth, null), callers, runtime, control);
    ManagedServer former;
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("the MCP sources are closed");
      }
      former = servers.put(config.name(), server);
      oauths.replace(config.name(), oauth);
    } finally {
      lock.unlock();
    }
    if (former != null) {
      var unused = former.close();
    }
    // Said before it is tried, so that nobody sees the service without it.
    expect(server);
    server.start();
  }

  private void expect(ManagedServer server) {
    try {
      registry.expect(server.expected());
    } catch (ToolcribException | IllegalArgumentException e) {
      // It cannot be published either, and says so then; that is no matter of the other servers.
      LOG.warn("MCP server {} cannot be expected", server.config().name(), e);
    }
  }

  /**
   * Removes a server and its tools.
   *
   * @param name its name
   * @return false if there is none of this name
   */
  public boolean remove(String name) {
    ManagedServer server;
    lock.lock();
    try {
      server = servers.remove(name);
      oauths.replace(name, null);
    } finally {
      lock.unlock();
    }
    if (server == null) {
      return false;
    }
    var unused = server.close();
    runtime.afterPublishing(() -> registry.remove(name));
    return true;
  }

  /**
   * Tries a server now that is not connected, for example after what was wrong is mended.
   *
   * @param name its name
   * @return false if there is none of this name
   */
  public boolean reconnect(String name) {
    oauths.askAgain(name);
    return connect(name);
  }

  private boolean connect(String name) {
    ManagedServer server = all().get(name);
    if (server != null) {
      server.connect();
    }
    return server != null;
  }

  /**
   * How the servers are, ordered by name.
   *
   * @return one status for each
   */
  public List<McpServerStatus> status() {
    return all().values().stream().map(ManagedServer::status).toList();
  }

  /**
   * The servers as they are configured, ordered by name.
   *
   * @return one configuration for each
   */
  public List<McpServerConfig> configs() {
    return all().values().stream().map(ManagedServer::config).toList();
  }

  /**
   * Waits until every server was tried once, well or not.
   *
   * @param timeout longest wait
   * @return the servers that were not, ordered by name
   */
  public List<String> await(Duration timeout) {
    return whenSettled(server -> true, timeout).join();
  }

  /**
   * Waits until every server that may have tools of exposure {@code DIRECT} was tried once: to be
   * called before the tools are declared for the first time.
   *
   * @param timeout longest wait, {@link #DEFAULT_WAIT} as a rule
   * @return the servers that were not, ordered by name
   */
  public List<String> awaitDirect(Duration timeout) {
    return whenSettled(McpServerConfig::mayBeDirect, timeout).join();
  }

  /**
   * As {@link #await}, without a thread that waits.
   *
   * @param which the servers waited for
   * @param timeout longest wait
   * @return completes with the servers that were not tried, ordered by name
   */
  public CompletableFuture<List<String>> whenSettled(
      Predicate<McpServerConfig> which, Duration timeout) {
    List<ManagedServer> chosen =
        all().values().stream().filter(server -> which.test(server.config())).toList();
    CompletableFuture<?>[] each =
        chosen.stream().map(ManagedServer::settled).toArray(CompletableFuture[]::new);
    CompletableFuture<@Nullable Void> together = CompletableFuture.allOf(each);
    if (!together.isDone()) {
      together = together.completeOnTimeout(null, timeout.toMillis(), TimeUnit.MILLISECONDS);
    }
    return together.thenApply(
        done ->
            chosen.stream()
                .filter(server -> !server.settled().isDone())
                .map(server -> server.config().name())
                .toList());
  }

  /**
   * What follows and cancels calls of these servers' tools.
   *
   * @return the same each time
   */
  public CallControl control() {
    return control;
  }

  /**
   * Closes all connections and ends the programs that were started; waits a little for them. The
   * tools stay in the registry and are not available.
   */
  @Override
  public void close() {
    List<ManagedServer> open;
    lock.lock();
    try {
      closed = true;
      open = new ArrayList<>(servers.values());
    } finally {
      lock.unlock();
    }
    oauths.close();
    CompletableFuture<?>[] ending =
        open.stream().map(ManagedServer::close).toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(ending)
        .completeOnTimeout(null, CLOSE_WAIT.toMillis(), TimeUnit.MILLISECONDS)
        .exceptionally(failure -> null)
        .join();
    runtime.close();
  }

  private Map<String, ManagedServer> all() {
    lock.lock();
    try {
      return new LinkedHashMap<>(servers);
    } finally {
      lock.unlock();
    }
  }

  /** Collects what is needed; everything but the registry has a default. Not thread-safe. */
  public static final class Builder {
    private final ToolRegistry registry;
    private final List<McpServerConfig> servers = new ArrayList<>();
    private final Map<String, BearerTokens> tokens = new LinkedHashMap<>();
    private final Map<String, Supplier<McpClientTransport>> transports = new LinkedHashMap<>();
    private Function<String, @Nullable String> environment = System::getenv;
    private TokenStore tokenStore = TokenStore.inMemory();
    private AuthorizationPrompt prompt = AuthorizationPrompt.logging();
    private Clock clock = Clock.systemUTC();
    private boolean commands;
    private int maxMessageBytes = 16 << 20;
    private Duration connectTimeout = Duration.ofSeconds(30);
    private Duration callWait = DEFAULT_WAIT;
    private Duration maxCallTime = DEFAULT_MAX_CALL_TIME;
    private int maxCallerConnections = DEFAULT_CALLER_CONNECTIONS;
    private Duration callerConnectionIdle = DEFAULT_CALLER_CONNECTION_IDLE;
    private Duration refreshDelay = Duration.ofMillis(200);
    private Duration firstRetry = Duration.ofSeconds(1);
    private Duration longestRetry = Duration.ofMinutes(5);

    private Builder(ToolRegistry registry) {
      this.registry = registry;
    }

    /**
     * Adds servers.
     *
     * @param configs the servers; of two with one name the later one counts
     * @return this
     */
    public Builder servers(Collection<McpServerConfig> configs) {
      servers.addAll(configs);
      return this;
    }

    /**
     * Sets who supplies the bearer tokens for one server that is reached by HTTP. Each caller gets
     * a connection of its own to that server, opened by its first call; what the server has is
     * asked with the token of nobody.
     *
     * @param server its name
     * @param supplier the supplier
     * @return this
     */
    public Builder bearer(String server, BearerTokens supplier) {
      tokens.put(server, supplier);
      return this;
    }

    /**
     * Sets where tokens of servers with {@code oauth} are kept; in memory unless set.
     *
     * @param store the store
     * @return this
     */
    public Builder tokenStore(TokenStore store) {
      this.tokenStore = store;
      return this;
    }

    /**
     * Sets how somebody is asked to authorize a server; the address is logged unless set.
     *
     * @param asks asks
     * @return this
     */
    public Builder authorizationPrompt(AuthorizationPrompt asks) {
      this.prompt = asks;
      return this;
    }

    /**
     * Sets the clock by which tokens expire; the system's unless set.
     *
     * @param tells tells the time
     * @return this
     */
    public Builder clock(Clock tells) {
      this.clock = tells;
      return this;
    }

    /**
     * Sets how one server is reached, in place of what its configuration says.
     *
     * @param server its name
     * @param transport makes a new transport for each connection
     * @return this
     */
    public Builder transport(String server, Supplier<McpClientTransport> transport) {
      transports.put(server, transport);
      return this;
    }

    /**
     * Sets where variables in {@code env} and {@code headers} come from; {@link System#getenv}
     * unless set.
     *
     * @param variables the value of a variable, or null
     * @return this
     */
    public Builder environment(Function<String, @Nullable String> variables) {
      this.environment = variables;
      return this;
    }

    /**
     * Sets whether a value of {@code env} or {@code headers} that begins with an exclamation mark
     * is run as a shell command; it is not unless set.
     *
     * @param allowed whether it is
     * @return this
     */
    public Builder commandSubstitution(boolean allowed) {
      this.commands = allowed;
      return this;
    }

    /**
     * Sets how large one message of a server may be; 16 MiB unless set.
     *
     * @param bytes most bytes, or characters where the SDK's transport counts
     * @return this
     */
    public Builder maxMessageBytes(int bytes) {
      this.maxMessageBytes = requirePositive(bytes);
      return this;
    }

    /**
     * Sets how long connecting may take, listing the tools included; 30 seconds unless set.
     *
     * @param timeout longest time
     * @return this
     */
    public Builder connectTimeout(Duration timeout) {
      this.connectTimeout = timeout;
      return this;
    }

    /**
     * Sets how long a call waits for a server that is being connected; {@link #DEFAULT_WAIT} unless
     * set.
     *
     * @param wait longest wait
     * @return this
     */
    public Builder callWait(Duration wait) {
      this.callWait = wait;
      return this;
    }

    /**
     * Sets how long one call may take in all, however much progress its server tells; {@link
     * #DEFAULT_MAX_CALL_TIME} unless set. A longer {@linkplain McpServerConfig#timeout() timeout}
     * of a server takes its place.
     *
     * @param longest the longest time, positive
     * @return this
     */
    public Builder maxCallTime(Duration longest) {
      this.maxCallTime = requirePositive(longest);
      return this;
    }

    /**
     * Sets what bounds the connections of single callers to one server, where a {@linkplain #bearer
     * supplier} gives each its token; {@link #DEFAULT_CALLER_CONNECTIONS} and {@link
     * #DEFAULT_CALLER_CONNECTION_IDLE} unless set. Beyond that the one used least recently ends; if
     * all are in use the call is not made.
     *
     * @param most how many at the same time
     * @param idle how long one is kept that nobody uses
     * @return this
     */
    public Builder callerConnections(int most, Duration idle) {
      this.maxCallerConnections = requirePositive(most);
      this.callerConnectionIdle = requirePositive(idle);
      return this;
    }

    /**
     * Sets how long notifications of changed tools are gathered before the tools are listed again;
     * 200 milliseconds unless set.
     *
     * @param delay the time from the first of them
     * @return this
     */
    public Builder refreshDelay(Duration delay) {
      this.refreshDelay = delay;
      return this;
    }

    /**
     * Sets how long to wait before a server is tried again; from 1 second to 5 minutes, doubling,
     * unless set.
     *
     * @param first the first wait
     * @param longest the longest
     * @return this
     */
    public Builder retry(Duration first, Duration longest) {
      this.firstRetry = first;
      this.longestRetry = longest;
      return this;
    }

    /**
     * Begins to connect all servers in the background.
     *
     * @return the sources, to be closed
     */
    public McpSources start() {
      McpSources sources = new McpSources(this);
      servers.forEach(sources::put);
      return sources;
    }

    private static int requirePositive(int number) {
      if (number < 1) {
        throw new IllegalArgumentException("%s is not positive".formatted(number));
      }
      return number;
    }

    private static Duration requirePositive(Duration time) {
      if (time.isNegative() || time.isZero()) {
        throw new IllegalArgumentException("%s is not positive".formatted(time));
      }
      return time;
    }
  }
}
