package dev.toolcrib.mcp;

import dev.toolcrib.Caller;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpTransportContextExtractor;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a {@link McpToolServer} by Streamable HTTP, with sessions or without. No thread of the
 * container waits for a tool.
 *
 * <p>A session belongs to the caller who opened it: for everyone else it does not exist. A request
 * with an {@code Origin} of another host is refused, unless that origin is allowed, so that no web
 * page can reach a server on its reader's machine.
 */
public final class McpHttpServlet extends HttpServlet {

  private static final long serialVersionUID = 1;

  private static final Logger LOG = LoggerFactory.getLogger(McpHttpServlet.class);

  private static final String SESSION = "Mcp-Session-Id";
  private static final String REVISION = "MCP-Protocol-Version";
  private static final String JSON = "application/json";
  private static final String EVENTS = "text/event-stream";

  private final transient McpToolServer server;
  private final transient McpTransportContextExtractor<HttpServletRequest> extractor;
  private final transient @Nullable ClientSessions sessions;
  private final transient Set<String> origins;
  private final @Nullable String challenge;
  private final boolean resourceMetadata;
  private final int maxBodyBytes;
  private final transient ExecutorService writers = ResponseWriters.create();

  private McpHttpServlet(Builder builder) {
    server = builder.server;
    extractor = builder.extractor;
    sessions =
        builder.stateless
            ? null
            : new ClientSessions(builder.maxSessions, builder.maxSessionsOfOne, builder.idle);
    origins = Set.copyOf(builder.origins);
    challenge = builder.challenge;
    resourceMetadata = builder.resourceMetadata;
    maxBodyBytes = builder.maxBodyBytes;
  }

  /**
   * Starts a servlet.
   *
   * @param server what it serves
   * @return a builder
   */
  public static Builder builder(McpToolServer server) {
    return new Builder(server);
  }

  /**
   * How many sessions are open.
   *
   * @return the number; 0 without sessions
   */
  public int openSessions() {
    return sessions == null ? 0 : sessions.size();
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    try {
      checkOrigin(request);
      Caller caller = caller(request);
      if (caller == null && challenge != null) {
        response.setHeader("WWW-Authenticate", challenge(request, challenge));
        throw new HttpRefusal(
            401, ErrorCodes.INVALID_REQUEST, "The request does not say who asks.");
      }
      switch (request.getMethod()) {
        case "POST" -> post(request, response, caller);
        case "GET" -> listen(request, caller);
        case "DELETE" -> delete(request, response, caller);
        default -> throw notAllowed();
      }
    } catch (HttpRefusal e) {
      refuse(response, e);
    }
  }

  private @Nullable Caller caller(HttpServletRequest request) throws HttpRefusal {
    try {
      return server.callers().of(extractor.extract(request));
    } catch (RuntimeException e) {
      LOG.warn("an MCP request is refused, since its caller cannot be told", e);
      throw new HttpRefusal(403, ErrorCodes.INVALID_REQUEST, "This caller may use no tools.");
    }
  }

  private void post(
      HttpServletRequest request, HttpServletResponse response, @Nullable Caller caller)
      throws IOException, HttpRefusal {
    String accepted = header(request, "Accept");
    boolean all = accepted.contains("*/*");
    if (!all && !(accepted.contains(JSON) && accepted.contains(EVENTS))) {
      throw new HttpRefusal(
          406,
          ErrorCodes.INVALID_REQUEST,
          "Accept must name application/json and text/event-stream.");
    }
    if (!header(request, "Content-Type").startsWith(JSON)) {
      throw new HttpRefusal(415, ErrorCodes.INVALID_REQUEST, "The body must be application/json.");
    }
    checkRevision(request);
    JSONRPCMessage message = read(request);
    boolean opens =
        message instanceof JSONRPCRequest first
            && first.method().equals(McpSchema.METHOD_INITIALIZE);
    ClientSession client = opens ? open(response, caller) : find(request, caller);
    if (message instanceof JSONRPCRequest asked) {
      answer(request, client, caller, asked);
    } else {
      if (message instanceof JSONRPCNotification notification) {
        server.notified(client, notification);
      }
      response.setStatus(HttpServletResponse.SC_ACCEPTED);
    }
  }

  private void answer(
      HttpServletRequest request,
      @Nullable ClientSession client,
      @Nullable Caller caller,
      JSONRPCRequest asked)
      throws IOException {
    Map<?, ?> meta = Json.object(asked.params(), "_meta");
    AsyncContext context = request.startAsync();
    context.setTimeout(0);
    if (meta != null && meta.containsKey("progressToken")) {
      EventStream stream = new EventStream(context, writers);
      var unused = server.answer(client, caller, asked, stream::send).thenAccept(stream::end);
      return;
    }
    CompletableFuture<JSONRPCResponse> answer = server.answer(client, caller, asked, told -> {});
    if (answer.isDone()) {
      answer(context, answer.join());
    } else {
      var unused =
          answer
              .thenAcceptAsync(done -> answer(context, done), writers)
              .whenComplete(
                  (done, failure) -> {
                    if (failure != null) {
                      context.complete();
                    }
                  });
    }
  }

  private static void answer(AsyncContext context, JSONRPCResponse answer) {
    try {
      write((HttpServletResponse) context.getResponse(), 200, McpToolServer.bytes(answer));
    } catch (IOException | IllegalStateException e) {
      LOG.debug("an MCP client left before its answer", e);
    } finally {
      context.complete();
    }
  }

  private void listen(HttpServletRequest request, @Nullable Caller caller)
      throws IOException, HttpRefusal {
    if (sessions == null) {
      throw notAllowed();
    }
    if (!header(request, "Accept").contains(EVENTS)) {
      throw new HttpRefusal(406, ErrorCodes.INVALID_REQUEST, "Accept must name text/event-stream.");
    }
    ClientSession client = find(request, caller);
    if (client != null) {
      EventStream stream = new EventStream(request.startAsync(), writers);
      client.listen(stream::send, stream::end);
    }
  }

  private void delete(
      HttpServletRequest request, HttpServletResponse response, @Nullable Caller caller)
      throws HttpRefusal {
    ClientSession client = find(request, caller);
    if (sessions == null || client == null) {
      throw notAllowed();
    }
    sessions.end(client);
    response.setStatus(HttpServletResponse.SC_NO_CONTENT);
  }

  private @Nullable ClientSession open(HttpServletResponse response, @Nullable Caller caller) {
    if (sessions == null) {
      return null;
    }
    ClientSession client = sessions.open(caller);
    response.setHeader(SESSION, client.id());
    return client;
  }

  private @Nullable ClientSession find(HttpServletRequest request, @Nullable Caller caller)
      throws HttpRefusal {
    if (sessions == null) {
      return null;
    }
    String id = request.getHeader(SESSION);
    if (id == null || id.isBlank()) {
      throw new HttpRefusal(
          400, ErrorCodes.INVALID_REQUEST, "The header Mcp-Session-Id is missing.");
    }
    ClientSession client = sessions.find(id, caller);
    if (client == null) {
      throw new HttpRefusal(404, ErrorCodes.INVALID_REQUEST, "There is no such session.");
    }
    return client;
  }

  private JSONRPCMessage read(HttpServletRequest request) throws IOException, HttpRefusal {
    if (request.getContentLengthLong() > maxBodyBytes) {
      throw tooLarge();
    }
    byte[] body = request.getInputStream().readNBytes(maxBodyBytes + 1);
    if (body.length > maxBodyBytes) {
      throw tooLarge();
    }
    try {
      return McpSchema.deserializeJsonRpcMessage(
          Json.MCP, new String(body, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new HttpRefusal(400, ErrorCodes.PARSE_ERROR, "The body is no JSON object.");
    } catch (RuntimeException e) {
      throw new HttpRefusal(400, ErrorCodes.INVALID_REQUEST, "The body is no message of JSON-RPC.");
    }
  }

  private HttpRefusal tooLarge() {
    return new HttpRefusal(
        413, ErrorCodes.INVALID_REQUEST, "The body is over %s bytes.".formatted(maxBodyBytes));
  }

  private static HttpRefusal notAllowed() {
    return new HttpRefusal(405, ErrorCodes.INVALID_REQUEST, "This method is not served here.");
  }

  private static void checkRevision(HttpServletRequest request) throws HttpRefusal {
    String revision = request.getHeader(REVISION);
    if (revision != null && !McpToolServer.REVISIONS.contains(revision)) {
      throw new HttpRefusal(
          400,
          ErrorCodes.INVALID_REQUEST,
          "This revision of MCP is not served; these are: "
              + String.join(", ", McpToolServer.REVISIONS));
    }
  }

  private void checkOrigin(HttpServletRequest request) throws HttpRefusal {
    String origin = request.getHeader("Origin");
    if (origin == null || origins.contains(origin.toLowerCase(Locale.ROOT))) {
      return;
    }
    String host;
    try {
      host = URI.create(origin).getHost();
    } catch (IllegalArgumentException e) {
      host = null;
    }
    boolean same = host != null && host.equalsIgnoreCase(request.getServerName());
    // A page may give its own name the address of its reader's machine, and is of the same host
    // then.
    if (!same || (isLoopback(request.getRemoteAddr()) && !isLoopback(host))) {
      throw new HttpRefusal(403, ErrorCodes.INVALID_REQUEST, "This origin is not allowed.");
    }
  }

  /** The challenge, with the address of the metadata of RFC 9728 if there are any. */
  private String challenge(HttpServletRequest request, String scheme) {
    if (!resourceMetadata) {
      return scheme;
    }
    String url = request.getRequestURL().toString();
    String origin = url.substring(0, url.length() - request.getRequestURI().length());
    return "%s resource_metadata=\"%s%s/.well-known/oauth-protected-resource%s\""
        .formatted(scheme, origin, request.getContextPath(), request.getServletPath());
  }

  private static boolean isLoopback(@Nullable String host) {
    return host != null && host.matches("(?i)localhost|127\\.[0-9.]+|\\[?(::1|0:0:0:0:0:0:0:1)]?");
  }

  private static String header(HttpServletRequest request, String name) {
    String value = request.getHeader(name);
    return value == null ? "" : value.toLowerCase(Locale.ROOT);
  }

  private static void refuse(HttpServletResponse response, HttpRefusal refusal) throws IOException {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("jsonrpc", "2.0");
    body.put("id", null);
    body.put(
        "error", Map.of("code", refusal.code, "message", String.valueOf(refusal.getMessage())));
    write(response, refusal.status, Json.bytes(body));
  }

  private static void write(HttpServletResponse response, int status, byte[] json)
      throws IOException {
    response.setStatus(status);
    response.setContentType(JSON);
    response.setContentLength(json.length);
    response.getOutputStream().write(json);
    response.flushBuffer();
  }

  /** Ends all sessions. */
  @Override
  public void destroy() {
    if (sessions != null) {
      sessions.close();
    }
    writers.shutdown();
  }

  /** Collects how HTTP is served; everything has a default. Not thread-safe. */
  public static final class Builder {
    private final McpToolServer server;
    private McpTransportContextExtractor<HttpServletRequest> extractor =
        request -> McpTransportContext.EMPTY;
    private boolean stateless;
    private Set<String> origins = Set.of();
    private @Nullable String challenge;
    private boolean resourceMetadata;
    private int maxBodyBytes = 2 << 20;
    private int maxSessions = 10_000;
    private int maxSessionsOfOne = 100;
    private Duration idle = Duration.ofMinutes(30);

    private Builder(McpToolServer server) {
      this.server = server;
    }

    /**
     * Sets what {@link McpCallers} are told of a request.
     *
     * @param value makes the context
     * @return this
     */
    public Builder context(McpTransportContextExtractor<HttpServletRequest> value) {
      this.extractor = value;
      return this;
    }

    /**
     * Sets whether nothing is kept of a client between its requests; sessions are kept unless set.
     *
     * @param value whether there are no sessions
     * @return this
     */
    public Builder stateless(boolean value) {
      this.stateless = value;
      return this;
    }

    /**
     * Sets origins of web pages on other hosts that may ask; none unless set.
     *
     * @param values origins, for example {@code https://inspector.example}
     * @return this
     */
    public Builder allowedOrigins(Set<String> values) {
      this.origins =
          values.stream()
              .map(origin -> origin.toLowerCase(Locale.ROOT))
              .collect(java.util.stream.Collectors.toUnmodifiableSet());
      return this;
    }

    /**
     * Sets the header {@code WWW-Authenticate} with which a request without a caller is refused.
     * Without one it is answered, with an empty list.
     *
     * @param value the header, for example {@code Bearer}
     * @return this
     */
    public Builder challenge(@Nullable String value) {
      this.challenge = value;
      return this;
    }

    /**
     * Sets whether the challenge names the address of the endpoint's protected-resource metadata
     * (RFC 9728), which is the well-known one below the context path.
     *
     * @param value whether there are such metadata
     * @return this
     */
    public Builder resourceMetadata(boolean value) {
      this.resourceMetadata = value;
      return this;
    }

    /**
     * Sets how large a request may be; 2 MiB unless set.
     *
     * @param bytes most bytes of a body
     * @return this
     */
    public Builder maxBodyBytes(int bytes) {
      this.maxBodyBytes = bytes;
      return this;
    }

    /**
     * Sets how many sessions there may be, of all clients and of one caller, and how long one is
     * kept that nobody uses; 10,000, 100 and 30 minutes unless set. Beyond that the one used least
     * recently ends: of the caller who opens another, or of all if the caller has no other.
     *
     * @param most of all clients
     * @param mostOfOne of one tenant and user
     * @param kept how long without use
     * @return this
     */
    public Builder sessions(int most, int mostOfOne, Duration kept) {
      if (most < 1 || mostOfOne < 1 || kept.isNegative() || kept.isZero()) {
        throw new IllegalArgumentException("at least one session is kept, for a positive time");
      }
      this.maxSessions = most;
      this.maxSessionsOfOne = mostOfOne;
      this.idle = kept;
      return this;
    }

    /**
     * Makes the servlet. It needs support of asynchronous requests where it is registered.
     *
     * @return the servlet
     */
    public McpHttpServlet build() {
      return new McpHttpServlet(this);
    }
  }
}
