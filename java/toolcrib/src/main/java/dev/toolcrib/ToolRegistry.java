package dev.toolcrib;

import static java.util.Objects.requireNonNull;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * All tools that the process knows, whoever may use them.
 *
 * <p>Safe for use by many threads. A change is published as a whole; searches and calls that run
 * meanwhile see either the former or the new state. Close it to free its native memory: from then
 * on it and its sessions throw {@link IllegalStateException}, while calls that are being executed
 * finish.
 */
public final class ToolRegistry implements AutoCloseable {

  /** How much of a {@link #putAll} crosses to the native side at once. */
  private static final long PUT_PORTION_BYTES = 256L << 20;

  private static final Duration DEFAULT_CALL_TIMEOUT = Duration.ofMinutes(5);
  private static final Duration DEFAULT_SOURCE_WAIT = Duration.ofSeconds(10);

  private final NativeHandle handle;
  private final SourceExecutors executors = new SourceExecutors();
  private final GuardedAuthorizer authorizer;
  private final CallExecutor callExecutor;
  private final Interceptors interceptors;
  private final AwaitedSources awaited;
  private final NativeHandle scriptPool;
  private final Map<Limit, Long> limits;

  private ToolRegistry(Builder builder) {
    NativeLibrary.require();
    NativeLog.passLevel();
    authorizer = new GuardedAuthorizer(builder.authorizer);
    callExecutor = new CallExecutor(builder.executor, builder.callTimeout);
    interceptors = new Interceptors(builder.interceptors);
    awaited = new AwaitedSources(builder.sourceWait);
    FrameWriter frame = new FrameWriter().flag(builder.codemode);
    long id = NativeBridge.registryCreate(builder.writeLimits(frame, false).toBytes());
    handle = new NativeHandle(this, "tool registry", id, NativeBridge::registryClose);
    long pool = NativeBridge.scriptPoolOpen(builder.writeLimits(new FrameWriter(), true).toBytes());
    scriptPool = new NativeHandle(this, "tool registry", pool, NativeBridge::scriptPoolClose);
    Map<Limit, Long> all = new EnumMap<>(Limit.class);
    for (byte[] some :
        List.of(NativeBridge.registryLimits(id), NativeBridge.scriptPoolLimits(pool))) {
      all.putAll(FrameReader.read(some, ToolRegistry::readLimits));
    }
    limits = Collections.unmodifiableMap(all);
  }

  /**
   * Starts a registry.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Adds a source, or replaces the source of this name as a whole. A tool that cannot be published
   * is left out and reported; the others are published.
   *
   * @param source the source
   * @return what came of it
   * @throws IllegalArgumentException if the source's own description cannot be right
   * @throws ToolcribException if the source as a whole is over a limit or a list cannot be read;
   *     the registry is unchanged then
   * @throws IllegalStateException if the registry is closed
   */
  public PublishReport put(ToolSource source) {
    return putAll(List.of(source)).get(0).orElseThrow();
  }

  /**
   * Adds or replaces several sources in one new version of the registry, which is much faster than
   * one after the other. A source that cannot be taken is reported and keeps none of the others
   * back. Sources of more than 256 MiB together take one version for each such portion.
   *
   * @param sources the sources; of two with one name the later one stays
   * @return what came of each, in their order
   * @throws IllegalStateException if the registry is closed
   */
  public List<PublishResult> putAll(Collection<ToolSource> sources) {
    NativeLog.passLevel();
    List<PublishResult> results = new ArrayList<>(sources.size());
    List<ToolSource> portion = new ArrayList<>();
    List<byte[]> frames = new ArrayList<>();
    long bytes = 0;
    for (ToolSource source : sources) {
      byte[] frame;
      try {
        frame = source.toFrame().toBytes();
      } catch (IllegalArgumentException e) {
        // Half a surrogate pair, for example, where a server says what it is.
        putPortion(portion, frames, results);
        bytes = 0;
        results.add(new PublishResult(source.name(), null, e));
        continue;
      }
      if (bytes + frame.length > PUT_PORTION_BYTES) {
        putPortion(portion, frames, results);
        bytes = 0;
      }
      portion.add(source);
      frames.add(frame);
      bytes += frame.length;
    }
    putPortion(portion, frames, results);
    return results;
  }

  /** Puts what was gathered, and begins to gather anew. */
  private void putPortion(
      List<ToolSource> sources, List<byte[]> frames, List<PublishResult> results) {
    if (sources.isEmpty()) {
      return;
    }
    FrameWriter frame = new FrameWriter().list(frames, FrameWriter::bytes);
    results.addAll(
        executors.replace(
            List.copyOf(sources),
            () ->
                FrameReader.read(
                    ask(NativeBridge::registryPutAll, frame),
                    reader -> PublishResult.readAll(reader, sources))));
    sources.clear();
    frames.clear();
  }

  /**
   * Announces a source whose tools come later, for example from a server that is being connected,
   * until it is put or removed. Callers who may know of it are offered {@code tool_search} or
   * {@code codemode} as if its tools were there; their searches, scripts and calls of its tools,
   * and its direct tools their first rendering, wait until it was tried, together and once for no
   * longer than {@link Builder#sourceWait}, and say if it is not there then.
   *
   * @param source what is known of it
   * @return false if a source of this name is registered, which is not expected then
   * @throws IllegalArgumentException if what is said of it cannot be right
   * @throws ToolcribException if it is over a limit
   * @throws IllegalStateException if the registry is closed
   */
  public boolean expect(ExpectedSource source) {
    try {
      boolean expected = NativeBridge.registryExpect(handle.id(), source.toFrame().toBytes());
      if (expected) {
        awaited.expect(source);
      }
      return expected;
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * The sources that are {@linkplain #expect expected} and that a caller may know of, ordered by
   * name.
   *
   * @param caller who asks
   * @return names of sources
   * @throws IllegalStateException if the registry is closed
   */
  public List<String> expected(Caller caller) {
    FrameWriter frame = new FrameWriter();
    authorizer.authorizedTools(caller).writeTo(frame);
    return FrameReader.read(ask(NativeBridge::registryExpected, frame), FrameReader::texts);
  }

  /**
   * Removes a source and its tools, or what was {@linkplain #expect expected} of it. Sessions keep
   * the names as pending, should it come back.
   *
   * @param source the source's name
   * @return false if there is no source of this name
   * @throws IllegalStateException if the registry is closed
   */
  public boolean remove(String source) {
    byte[] name = Text.utf8(source);
    awaited.forget(source);
    return executors.remove(
        source,
        () -> {
          try {
            return NativeBridge.registryRemove(handle.id(), name);
          } finally {
            Reference.reachabilityFence(this);
          }
        });
  }

  /**
   * The registry in figures, all tools included whoever may use them.
   *
   * @return the figures
   * @throws IllegalStateException if the registry is closed
   */
  public RegistryInfo info() {
    return FrameReader.read(ask(NativeBridge::registryInfo), RegistryInfo::read);
  }

  /**
   * The sources, ordered by name, whoever may use their tools.
   *
   * @return the sources
   * @throws IllegalStateException if the registry is closed
   */
  public List<SourceInfo> sources() {
    return FrameReader.read(
        ask(NativeBridge::registrySources), frame -> frame.list(SourceInfo::read));
  }

  /**
   * The sources of which a caller may discover at least one tool, ordered by name.
   *
   * @param caller who asks
   * @return the sources
   * @throws IllegalStateException if the registry is closed
   */
  public List<ReachedSource> sources(Caller caller) {
    FrameWriter frame = new FrameWriter();
    authorizer.authorizedTools(caller).writeTo(frame);
    return FrameReader.read(
        ask(NativeBridge::registryReachedSources, frame),
        reader -> reader.list(ReachedSource::read));
  }

  /**
   * A page of the tools that a caller may discover, ordered by name. A tool that comes or goes
   * between two pages is seen or not; no other is missed or seen twice.
   *
   * @param caller who asks
   * @param cursor {@link ToolPage#nextCursor()} of the page before; null for the first
   * @param limit most tools on the page, at least 1
   * @return the page
   * @throws IllegalArgumentException if the limit is not positive, or the cursor none that a page
   *     can have
   * @throws IllegalStateException if the registry is closed
   */
  public ToolPage list(Caller caller, @Nullable String cursor, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("the limit of a page is %s".formatted(limit));
    }
    FrameWriter frame = new FrameWriter();
    authorizer.authorizedTools(caller).writeTo(frame);
    frame.optionalText(cursor).number(limit);
    return FrameReader.read(ask(NativeBridge::registryList, frame), ToolPage::read);
  }

  /**
   * The limits in force, those that were not set included.
   *
   * @return the value of every limit, unmodifiable
   */
  public Map<Limit, Long> limits() {
    return limits;
  }

  /**
   * Starts a session.
   *
   * @param caller whose session it is
   * @return a builder
   */
  public ToolSession.Builder session(Caller caller) {
    return new ToolSession.Builder(this, requireNonNull(caller, "caller"), authorizer);
  }

  /**
   * Closes the registry and its sessions, and cancels their scripts; nothing happens the second
   * time.
   */
  @Override
  public void close() {
    // Scripts first: a call that fails for the closed registry must not be what ends them.
    scriptPool.close();
    handle.close();
    callExecutor.close();
  }

  SourceExecutors executors() {
    return executors;
  }

  CallExecutor callExecutor() {
    return callExecutor;
  }

  Interceptors interceptors() {
    return interceptors;
  }

  AwaitedSources awaited() {
    return awaited;
  }

  /** The number of the pool that runs scripts. */
  long scriptPool() {
    return scriptPool.id();
  }

  /**
   * The number of this registry, for one native call within which it stays reachable.
   *
   * @throws IllegalStateException if closed
   */
  long requireOpen() {
    return handle.id();
  }

  private static Map<Limit, Long> readLimits(FrameReader frame) {
    Map<Limit, Long> limits = new EnumMap<>(Limit.class);
    for (int count = frame.count(); count > 0; count--) {
      limits.put(Limit.ofKey(frame.text()), frame.number());
    }
    return limits;
  }

  private byte[] ask(NativeFunction function, FrameWriter frame) {
    try {
      return function.call(handle.id(), frame.toBytes());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private byte[] ask(NativeQuery query) {
    try {
      return query.call(handle.id());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Collects what a registry needs; everything has a default. Not thread-safe. */
  public static final class Builder {
    private ToolAuthorizer authorizer = caller -> ToolSelection.none();
    private @Nullable Executor executor;
    private Duration callTimeout = DEFAULT_CALL_TIMEOUT;
    private Duration sourceWait = DEFAULT_SOURCE_WAIT;
    private final Map<Limit, Long> limits = new EnumMap<>(Limit.class);
    private final List<ToolCallInterceptor> interceptors = new ArrayList<>();
    private boolean codemode;

    private Builder() {}

    /**
     * Sets who decides what a caller may use. Without one nothing is listed, found or callable.
     *
     * @param authorizer the authorizer
     * @return this
     */
    public Builder authorizer(ToolAuthorizer authorizer) {
      this.authorizer = authorizer;
      return this;
    }

    /**
     * Sets what runs tools. Without one they run on virtual threads where the JVM has them, else on
     * a bounded pool; both belong to the registry and end with it.
     *
     * @param executor the executor; the registry does not close it
     * @return this
     */
    public Builder executor(Executor executor) {
      this.executor = executor;
      return this;
    }

    /**
     * Sets how long a call may take before its result is {@link CallResult.Unavailable}; five
     * minutes unless set. The tool itself is not interrupted; what it still answers is dropped.
     *
     * @param timeout the time, positive
     * @return this
     */
    public Builder callTimeout(Duration timeout) {
      if (timeout.isNegative() || timeout.isZero()) {
        throw new IllegalArgumentException("a call timeout is positive");
      }
      this.callTimeout = timeout;
      return this;
    }

    /**
     * Sets how long sessions wait for a source that is {@linkplain ToolRegistry#expect expected};
     * ten seconds unless set. All callers wait for it together, from the first of them on.
     *
     * @param longest the longest wait for one source; zero for none
     * @return this
     */
    public Builder sourceWait(Duration longest) {
      if (longest.isNegative()) {
        throw new IllegalArgumentException("a wait is not negative");
      }
      this.sourceWait = longest;
      return this;
    }

    /**
     * Adds an interceptor behind those added before; it sees every execution of a tool.
     *
     * @param interceptor the interceptor
     * @return this
     */
    public Builder interceptor(ToolCallInterceptor interceptor) {
      interceptors.add(requireNonNull(interceptor, "interceptor"));
      return this;
    }

    /**
     * Sets whether models may run scripts: then tools of exposure {@link Exposure#CODEMODE} are
     * reached by the tool {@code codemode}, otherwise by {@code tool_search}. They may not unless
     * this is called; {@link ToolSession#runScript} works in any case.
     *
     * @param offered whether {@code codemode} is offered to callers who may use such a tool
     * @return this
     */
    public Builder codemode(boolean offered) {
      this.codemode = offered;
      return this;
    }

    /**
     * Sets one limit.
     *
     * @param limit which
     * @param value its value, at least 0
     * @return this
     */
    public Builder limit(Limit limit, long value) {
      if (value < 0) {
        throw new IllegalArgumentException("%s is %s".formatted(limit, value));
      }
      limits.put(limit, value);
      return this;
    }

    private FrameWriter writeLimits(FrameWriter frame, boolean ofScripts) {
      return frame.list(
          limits.entrySet().stream()
              .filter(limit -> limit.getKey().isOfScripts() == ofScripts)
              .toList(),
          (f, limit) -> f.text(limit.getKey().key()).number(limit.getValue()));
    }

    /**
     * Makes the registry.
     *
     * @return the registry
     * @throws ToolcribLoadException if the native library could not be loaded
     */
    public ToolRegistry build() {
      return new ToolRegistry(this);
    }
  }
}
