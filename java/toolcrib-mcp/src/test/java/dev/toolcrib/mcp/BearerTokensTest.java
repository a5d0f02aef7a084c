package dev.toolcrib.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.CallRequest;
import dev.toolcrib.CallResult;
import dev.toolcrib.Caller;
import dev.toolcrib.Exposure;
import dev.toolcrib.Naming;
import dev.toolcrib.ToolDefinition;
import dev.toolcrib.ToolExecutor;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolResult;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSession;
import dev.toolcrib.ToolSource;
import io.modelcontextprotocol.common.McpTransportContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whose token goes where. The servers are ours, behind HTTP. */
class BearerTokensTest extends McpTest {

  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable resource : open) {
      resource.close();
    }
  }

  private McpHttpServlet servlet;

  /** A server that keeps the credentials of the calls it gets, and has no sessions. */
  private String server(List<String> seen, boolean required) throws Exception {
    return server(seen, required, servlet -> servlet.stateless(true));
  }

  private String server(
      List<String> seen, boolean required, UnaryOperator<McpHttpServlet.Builder> kind)
      throws Exception {
    ToolRegistry behind = ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build();
    behind.put(
        ToolSource.named("own")
            .naming(Naming.PLAIN)
            .exposure(Exposure.DIRECT)
            .tool(
                ToolDefinition.named("who").build(),
                ToolExecutor.blocking(call -> ToolResult.text(call.caller().user())))
            .build());
    McpToolServer server =
        McpToolServer.of(
            behind,
            context ->
                context.get("token") instanceof String token
                    ? Caller.of("t", token)
                    : required ? null : Caller.of("t", "nobody"),
            McpServerOptions.defaults());
    McpHttpServlet.Builder builder =
        McpHttpServlet.builder(server)
            .challenge(required ? "Bearer" : null)
            .context(
                request -> {
                  String header = request.getHeader("Authorization");
                  seen.add(String.valueOf(header));
                  return header == null
                      ? McpTransportContext.EMPTY
                      : McpTransportContext.create(Map.of("token", header.replace("Bearer ", "")));
                });
    servlet = kind.apply(builder).build();
    HttpHost host = new HttpHost(servlet);
    open.add(host);
    open.add(behind);
    return host.url();
  }

  private CallResult as(Caller caller, String tool) throws Exception {
    try (ToolSession session = registry.session(caller).open()) {
      return session.call(CallRequest.of(tool, "{}").allowingInactive()).get();
    }
  }

  @Test
  void the_callers_token_goes_to_its_server_and_to_no_other() throws Exception {
    List<String> seenByOne = new CopyOnWriteArrayList<>();
    List<String> seenByOther = new CopyOnWriteArrayList<>();
    McpSources sources =
        start(
            builder()
                .servers(
                    List.of(
                        McpServerConfig.http("one", server(seenByOne, false)),
                        McpServerConfig.http("other", server(seenByOther, false))))
                .bearer("one", caller -> caller == null ? null : "token-of-" + caller.user()));
    assertThat(sources.await(LONG)).isEmpty();
    assertThat(as(ANN, "mcp__one__who").text()).isEqualTo("token-of-ann");
    assertThat(as(Caller.of("acme", "bob"), "mcp__one__who").text()).isEqualTo("token-of-bob");
    assertThat(as(ANN, "mcp__other__who").text()).isEqualTo("nobody");
    assertThat(seenByOne).contains("null", "Bearer token-of-ann", "Bearer token-of-bob");
    assertThat(seenByOther).containsOnly("null");
  }

  @Test
  void a_server_that_wants_to_know_who_asks_is_unauthorized() throws Exception {
    McpSources sources =
        start(
            builder()
                .servers(
                    List.of(
                        McpServerConfig.http(
                            "strict", server(new CopyOnWriteArrayList<>(), true)))));
    assertThat(sources.await(LONG)).isEmpty();
    eventually(() -> status(sources, "strict").state() == McpServerState.UNAUTHORIZED);
  }

  /** A source on a server that binds each session to the user who opened it. */
  private McpSources binding(
      UnaryOperator<McpHttpServlet.Builder> kind, UnaryOperator<McpSources.Builder> sources)
      throws Exception {
    McpSources.Builder builder =
        builder()
            .servers(
                List.of(
                    McpServerConfig.http("s", server(new CopyOnWriteArrayList<>(), true, kind))))
            .bearer("s", caller -> caller == null ? "service" : "token-of-" + caller.user());
    McpSources started = start(sources.apply(builder));
    assertThat(started.await(LONG)).isEmpty();
    assertThat(status(started, "s").state()).isEqualTo(McpServerState.CONNECTED);
    return started;
  }

  @Test
  void a_server_that_binds_its_sessions_to_a_user_refused_all_callers_but_one() throws Exception {
    binding(UnaryOperator.identity(), UnaryOperator.identity());
    Caller bob = Caller.of("acme", "bob");
    for (int times = 0; times < 2; times++) {
      assertThat(as(ANN, "mcp__s__who").text()).isEqualTo("token-of-ann");
      assertThat(as(bob, "mcp__s__who").text()).isEqualTo("token-of-bob");
    }
    // The one that lists the tools, and one for each of the two.
    assertThat(servlet.openSessions()).isEqualTo(3);
  }

  @Test
  void callers_beyond_the_bound_take_the_place_of_who_called_least_recently() throws Exception {
    binding(UnaryOperator.identity(), sources -> sources.callerConnections(2, Duration.ofHours(1)));
    for (String user : List.of("ann", "bob", "carl", "ann")) {
      assertThat(as(Caller.of("acme", user), "mcp__s__who").text()).isEqualTo("token-of-" + user);
    }
    eventually(() -> servlet.openSessions() == 3);
  }

  @Test
  void the_connection_of_a_caller_who_calls_no_more_ends() throws Exception {
    McpSources sources =
        binding(
            UnaryOperator.identity(),
            builder -> builder.callerConnections(2, Duration.ofMillis(20)));
    assertThat(as(ANN, "mcp__s__who").text()).isEqualTo("token-of-ann");
    eventually(() -> servlet.openSessions() == 1);
    assertThat(as(ANN, "mcp__s__who").text()).isEqualTo("token-of-ann");
    sources.close();
    eventually(() -> servlet.openSessions() == 0);
  }

  @Test
  void a_session_that_the_server_has_ended_is_opened_anew_by_the_next_call() throws Exception {
    binding(servlet -> servlet.sessions(1, 1, Duration.ofHours(1)), UnaryOperator.identity());
    assertThat(as(ANN, "mcp__s__who").text()).isEqualTo("token-of-ann");
    assertThat(as(Caller.of("acme", "bob"), "mcp__s__who").text()).isEqualTo("token-of-bob");
    // That it is gone is noticed by the call, or by what listens to the server.
    String last = as(ANN, "mcp__s__who").text();
    while (!last.equals("token-of-ann")) {
      assertThat(last).containsAnyOf("was not executed", "was gone before it answered");
      last = as(ANN, "mcp__s__who").text();
    }
  }

  @Test
  void sixteen_callers_at_once_are_asked_for_with_their_own_tokens() throws Exception {
    binding(
        UnaryOperator.identity(), sources -> sources.callerConnections(16, Duration.ofHours(1)));
    List<CompletableFuture<CallResult>> calls = new ArrayList<>();
    List<ToolSession> sessions = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      ToolSession session = registry.session(Caller.of("acme", "u" + i % 16)).open();
      sessions.add(session);
      calls.add(session.call(CallRequest.of("mcp__s__who", "{}").allowingInactive()));
    }
    for (int i = 0; i < 64; i++) {
      assertThat(calls.get(i).get(60, TimeUnit.SECONDS).text()).isEqualTo("token-of-u" + i % 16);
    }
    sessions.forEach(ToolSession::close);
    assertThat(servlet.openSessions()).isEqualTo(17);
  }

  @Test
  void a_token_that_cannot_be_had_fails_that_one_call() throws Exception {
    McpSources started =
        start(
            builder()
                .servers(
                    List.of(McpServerConfig.http("s", server(new CopyOnWriteArrayList<>(), false))))
                .bearer(
                    "s",
                    caller -> {
                      if (caller != null && caller.user().equals("bob")) {
                        throw new IllegalStateException("bob is not known");
                      }
                      return caller == null ? null : "token-of-" + caller.user();
                    }));
    assertThat(started.await(LONG)).isEmpty();
    CallResult bobs = as(Caller.of("acme", "bob"), "mcp__s__who");
    assertThat(bobs).isInstanceOf(CallResult.Unavailable.class);
    assertThat(bobs.text()).contains("was not executed", "bob is not known");
    assertThat(as(ANN, "mcp__s__who").text()).isEqualTo("token-of-ann");
  }
}
