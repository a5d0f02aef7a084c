package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * The deepest schema that is accepted, on the smallest stack that a Java thread is usually given.
 * An overflow of a native stack is no exception but the end of the process, so this either passes
 * or takes the JVM with it.
 */
class SmallStackTest {

  private static final int SMALL_STACK = 256 << 10;
  private static final int DEPTH = 62;

  @Test
  void the_deepest_schema_is_published_declared_and_validated_on_a_small_stack() throws Exception {
    String schema = "{\"properties\":{\"a\":".repeat(DEPTH / 2) + "{}" + "}}".repeat(DEPTH / 2);
    String arguments = "{\"a\":".repeat(DEPTH) + "1" + "}".repeat(DEPTH);
    onSmallStack(
        () -> {
          try (ToolRegistry registry =
              ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build()) {
            ToolDefinition deep =
                Tools.tool("deep").inputSchema(schema).outputSchema(schema).build();
            PublishReport report =
                registry.put(
                    ToolSource.named("deep")
                        .naming(Naming.PLAIN)
                        .exposure(Exposure.DIRECT)
                        .tool(deep, ToolExecutor.blocking(call -> ToolResult.text("done")))
                        // Something to be found, so that there is call_tool.
                        .tool(Tools.tool("other").exposure(Exposure.DEFERRED).build())
                        .build());
            assertThat(report.quarantined()).isEmpty();
            try (ToolSession session = registry.session(Tools.ANN).open()) {
              for (Target target : Target.values()) {
                assertThat(session.render(target).toolNames()).contains("deep");
                CallRequest call = CallRequest.of("deep", arguments).withTarget(target);
                assertThat(session.call(call).join().text()).isEqualTo("done");
              }
              session.search("deep");
              String use = "[{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"%s\",\"input\":%s}]";
              Endpoint anthropic = Endpoint.ofProvider(Target.ANTHROPIC_MESSAGES);
              assertThat(turn(session, anthropic, use.formatted("deep", arguments)))
                  .contains("done");
              Endpoint meta = anthropic.withActivation(Activation.META_TOOL).withStrict(true);
              String inner = "{\"name\":\"deep\",\"arguments\":%s}".formatted(arguments);
              assertThat(turn(session, meta, use.formatted("call_tool", inner))).contains("done");
              assertThat(turn(session, meta, use.formatted("describe_tool", inner)))
                  .contains("inputSchema");
            }
          }
        });
  }

  @Test
  void a_long_chain_of_references_ends_no_process() throws Exception {
    StringBuilder schema = new StringBuilder("{\"$ref\":\"#/$defs/d0\",\"$defs\":{");
    for (int i = 0; i < 2_000; i++) {
      schema.append("\"d%d\":{\"$ref\":\"#/$defs/d%d\"},".formatted(i, i + 1));
    }
    schema.append("\"d2000\":{}}}");
    Runnable test =
        () -> {
          try (ToolRegistry registry =
              ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build()) {
            ToolDefinition chain = Tools.tool("chain").inputSchema(schema.toString()).build();
            registry.put(
                ToolSource.named("chain")
                    .naming(Naming.PLAIN)
                    .exposure(Exposure.DIRECT)
                    .tool(chain, ToolExecutor.blocking(call -> ToolResult.text("done")))
                    .build());
            try (ToolSession session = registry.session(Tools.ANN).open()) {
              for (Target target : Target.values()) {
                session.render(target);
              }
              assertThat(session.call(CallRequest.of("chain", "{}")).join().text()).isNotEmpty();
            }
          }
        };
    onSmallStack(test);
  }

  @Test
  void what_is_nested_deeper_than_allowed_is_refused_on_a_small_stack() throws Exception {
    String deep = "[".repeat(1_000_000);
    onSmallStack(
        () -> {
          try (ToolRegistry registry =
              ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build()) {
            registry.put(Tools.orders(ToolExecutor.blocking(call -> ToolResult.text("done"))));
            try (ToolSession session = registry.session(Tools.ANN).open()) {
              assertThat(session.call(CallRequest.of("get_order", deep)).join())
                  .isInstanceOf(CallResult.InvalidArguments.class);
              Endpoint chat = Endpoint.of(Target.OPENAI_CHAT);
              assertThatThrownBy(() -> session.decodeCalls(chat, deep))
                  .isInstanceOf(ToolcribException.class);
            }
          }
        });
  }

  private static String turn(ToolSession session, Endpoint endpoint, String answer) {
    List<AnsweredCall> turn =
        session.decodeCalls(endpoint, answer).stream()
            .map(call -> call.answer(session.call(call.request()).join()))
            .toList();
    return String.join("", session.encodeResults(endpoint, turn));
  }

  private static void onSmallStack(Runnable test) throws Exception {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread thread = new Thread(null, test, "small stack", SMALL_STACK);
    thread.setUncaughtExceptionHandler((of, thrown) -> failure.set(thrown));
    thread.start();
    thread.join();
    assertThat(failure.get()).isNull();
  }
}
