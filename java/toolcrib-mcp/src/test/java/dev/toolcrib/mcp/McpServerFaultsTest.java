package dev.toolcrib.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.Caller;
import dev.toolcrib.Exposure;
import dev.toolcrib.Naming;
import dev.toolcrib.ToolDefinition;
import dev.toolcrib.ToolExecutor;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolResult;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSource;
import dev.toolcrib.mcp.FakeServer.Fault;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.lang.reflect.Proxy;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Our server, asked by clients that do what none should. */
class McpServerFaultsTest {

  private static final Caller ANN = Caller.of("acme", "ann");

  /** As deep as is read, which is too deep to be written within an answer. */
  private static final String DEEP = "{\"a\":".repeat(499) + "1" + "}".repeat(499);

  private static final Caller BOB = Caller.of("rest", "bob");

  /** Tenant acme may use all, everybody else the desk. */
  private final ToolRegistry registry =
      ToolRegistry.builder()
          .authorizer(
              caller ->
                  caller.tenant().equals("acme")
                      ? ToolSelection.all()
                      : ToolSelection.sources("desk"))
          .build();

  {
    registry.put(
        ToolSource.named("desk")
            .naming(Naming.PLAIN)
            .exposure(Exposure.DIRECT)
            .tool(
                ToolDefinition.named("answer_deeply").description("Answers oddly").build(),
                ToolExecutor.blocking(call -> ToolResult.json(DEEP)))
            .build());
  }

  @AfterEach
  void close() {
    registry.close();
  }

  private McpToolServer server(McpServerOptions options) {
    return McpToolServer.of(registry, HttpHost.callers(), options);
  }

  private static JSONRPCRequest call(String tool, Map<String, Object> arguments) {
    return new JSONRPCRequest("tools/call", "r", Map.of("name", tool, "arguments", arguments));
  }

  private static JSONRPCResponse ask(McpToolServer server, Caller caller, JSONRPCRequest request)
      throws Exception {
    return begin(server, caller, request).get(60, TimeUnit.SECONDS);
  }

  private static CompletableFuture<JSONRPCResponse> begin(
      McpToolServer server, Caller caller, JSONRPCRequest request) {
    return server.answer(null, caller, request, told -> {});
  }

  @Test
  void a_call_that_could_not_begin_was_followed_for_ever() throws Exception {
    McpToolServer server = server(McpServerOptions.defaults());
    assertThat(ask(server, ANN, call("\ud800", Map.of())).error()).isNotNull();
    assertThat(server.control().size()).isZero();
    ClientSession ended = new ClientSession("s", ANN);
    ended.close();
    McpToolServer remembers = server(McpServerOptions.defaults().withSessionMode(true));
    assertThat(
            remembers
                .answer(ended, ANN, call("answer_deeply", Map.of()), told -> {})
                .get(60, TimeUnit.SECONDS)
                .error())
        .isNotNull();
    assertThat(remembers.control().size()).isZero();
    assertThat(ended.callOf("r")).isNull();
  }

  @Test
  void what_is_withheld_could_be_called_by_a_garbled_name() throws Exception {
    McpToolServer server =
        server(McpServerOptions.defaults().withWithheld(Set.of("tool_search", "describe_tool")));
    for (String name :
        List.of(
            "tool_search", " tool_search", "functions.tool_search", "\u00a0tool_search\u2003")) {
      assertThat(ask(server, ANN, call(name, Map.of("query", "odd"))).error()).as(name).isNotNull();
      Map<String, Object> inner = Map.of("name", name, "arguments", Map.of("query", "odd"));
      assertThat(ask(server, ANN, call("call_tool", inner)).error()).as(name).isNotNull();
      assertThat(ask(server, ANN, call("functions.call_tool", inner)).error()).as(name).isNotNull();
    }
    assertThat(ask(server, ANN, call("answer_deeply", Map.of())).error()).isNull();
  }

  @Test
  void the_time_of_an_answer_told_of_a_server_that_is_being_connected() throws Exception {
    try (McpSources sources =
        McpSources.builder(registry)
            .connectTimeout(Duration.ofMinutes(5))
            .servers(List.of(McpServerConfig.http("secret", "http://127.0.0.1:1/")))
            .transport("secret", () -> new MemoryTransport(Fault.SILENT))
            .start()) {
      McpToolServer server =
          McpToolServer.of(registry, context -> null, McpServerOptions.defaults(), sources);
      Map<String, Object> inner = Map.of("name", "mcp__secret__x");
      assertThat(begin(server, ANN, call("mcp__secret__x", Map.of()))).isNotDone();
      assertThat(begin(server, ANN, call("call_tool", inner))).isNotDone();
      assertThat(begin(server, BOB, call("mcp__secret__x", Map.of()))).isDone();
      assertThat(begin(server, BOB, call("call_tool", inner))).isDone();
    }
  }

  @Test
  void an_answer_that_cannot_be_written_was_none() throws Exception {
    McpHttpServlet servlet =
        McpHttpServlet.builder(server(McpServerOptions.defaults()))
            .context(HttpHost::context)
            .build();
    try (HttpHost host = new HttpHost(servlet)) {
      RawClient ann = new RawClient(host.url(), "acme/ann").initialize();
      for (Map<String, Object> meta :
          List.of(Map.<String, Object>of(), Map.<String, Object>of("progressToken", "p"))) {
        JsonNode answer =
            ann.ask(
                "tools/call",
                Map.of("name", "answer_deeply", "arguments", Map.of(), "_meta", meta));
        assertThat(answer.path("error").path("code").asInt()).isEqualTo(-32603);
      }
    }
  }

  @Test
  void a_caller_who_cannot_be_told_ended_the_server_on_standard_streams() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    McpToolServer server =
        McpToolServer.of(
            registry,
            context -> {
              if (asked.incrementAndGet() == 2) {
                throw new IllegalStateException("no directory of users");
              }
              return ANN;
            },
            McpServerOptions.defaults());
    String list = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}";
    List<String> lines = serve(server, list, list).lines().toList();
    assertThat(lines.get(0)).doesNotContain("answer_deeply");
    // Who has nothing to find is offered no search.
    assertThat(lines.get(1)).contains("answer_deeply").doesNotContain("tool_search");
  }

  private static String serve(McpToolServer server, String... lines) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] in = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    new McpStdioServer(server, new ByteArrayInputStream(in), out).serve();
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void streams_of_a_session_stayed_open_when_it_ended_or_another_took_over() throws Exception {
    McpHttpServlet servlet =
        McpHttpServlet.builder(server(McpServerOptions.defaults()))
            .context(HttpHost::context)
            .build();
    try (HttpHost host = new HttpHost(servlet)) {
      RawClient ann = new RawClient(host.url(), "acme/ann").initialize();
      CompletableFuture<Integer> first = endOf(ann);
      CompletableFuture<Integer> second = endOf(ann);
      assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo(-1);
      assertThat(second).isNotDone();
      ann.http().send(ann.request().DELETE().build(), HttpResponse.BodyHandlers.discarding());
      assertThat(second.get(60, TimeUnit.SECONDS)).isEqualTo(-1);
    }
  }

  /** Listens; completes with what is read at the end of the stream. */
  private static CompletableFuture<Integer> endOf(RawClient client) throws Exception {
    var stream =
        client
            .http()
            .send(
                client.request().header("Accept", "text/event-stream").GET().build(),
                HttpResponse.BodyHandlers.ofInputStream())
            .body();
    return CompletableFuture.supplyAsync(
        () -> {
          try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream))) {
            return reader.read();
          } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        });
  }

  @Test
  void a_client_that_reads_nothing_held_up_whoever_told_it_of_progress() throws Exception {
    CountDownLatch reads = new CountDownLatch(1);
    CountDownLatch completed = new CountDownLatch(1);
    SlowOutput out = new SlowOutput(reads);
    ExecutorService writers = ResponseWriters.create();
    EventStream stream = new EventStream(context(out, completed), writers);
    CompletableFuture<?> told =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < 2 * EventStream.MAX_WAITING; i++) {
                stream.send(new JSONRPCNotification("n" + i, null));
              }
              stream.end(JSONRPCResponse.result("answer", Map.of()));
            });
    told.get(10, TimeUnit.SECONDS);
    reads.countDown();
    assertThat(completed.await(60, TimeUnit.SECONDS)).isTrue();
    String written = out.written.toString(StandardCharsets.UTF_8);
    assertThat(written).containsSubsequence("\"n0\"", "\"n1\"", "\"answer\"");
    assertThat(written.lines().filter(line -> line.startsWith("data: ")).count())
        .isLessThanOrEqualTo(EventStream.MAX_WAITING + 2L);
    writers.shutdown();
  }

  private static AsyncContext context(ServletOutputStream out, CountDownLatch completed) {
    HttpServletResponse response =
        fake(HttpServletResponse.class, "getOutputStream", out, completed);
    return fake(AsyncContext.class, "getResponse", response, completed);
  }

  /** Answers one method, and counts down for {@code complete}. */
  private static <T> T fake(Class<T> type, String method, Object answer, CountDownLatch completed) {
    Object made =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, called, arguments) -> {
              if (called.getName().equals("complete")) {
                completed.countDown();
              }
              return called.getName().equals(method) ? answer : null;
            });
    return type.cast(made);
  }

  private static final class SlowOutput extends ServletOutputStream {
    final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final CountDownLatch reads;

    SlowOutput(CountDownLatch reads) {
      this.reads = reads;
    }

    @Override
    public void write(int b) throws java.io.IOException {
      try {
        reads.await();
      } catch (InterruptedException e) {
        throw new java.io.IOException(e);
      }
      written.write(b);
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setWriteListener(WriteListener listener) {}
  }
}
