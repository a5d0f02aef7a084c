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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
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

  /** A server that keeps the credentials of the calls it gets; without a session, unless asked. */
  private String server(List<String> seen, boolean required) throws Exception {
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
    HttpHost host =
        new HttpHost(
            McpHttpServlet.builder(server)
                .stateless(true)
                .challenge(required ? "Bearer" : null)
                .context(
                    request -> {
                      String header = request.getHeader("Authorization");
                      seen.add(String.valueOf(header));
                      return header == null
                          ? McpTransportContext.EMPTY
                          : McpTransportContext.create(
                              Map.of("token", header.replace("Bearer ", "")));
                    })
                .build());
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
}
