package dev.toolcrib;

import java.util.concurrent.atomic.AtomicReference;

/** Small registries for tests. */
final class Tools {

  static final Caller ANN = Caller.of("acme", "ann");

  static final String ORDER_SCHEMA =
      """
      {"type":"object","properties":{"order":{"type":"string","pattern":"^SO-[0-9]+$"}},
       "required":["order"]}
      """;

  private Tools() {}

  /** A tool that takes an order number. */
  static ToolDefinition.Builder tool(String name) {
    return ToolDefinition.named(name).description("Does " + name).inputSchema(ORDER_SCHEMA);
  }

  /** A source of the service's own code with one tool, {@code get_order}. */
  static ToolSource orders(ToolExecutor executor) {
    return ToolSource.named("orders")
        .naming(Naming.PLAIN)
        .description("Orders of the shop")
        .exposure(Exposure.DIRECT)
        .tool(tool("get_order").build(), executor)
        .build();
  }

  static CallRequest getOrder() {
    return CallRequest.of("get_order", "{\"order\":\"SO-1\"}");
  }

  /** Throws what the compiler would not let pass. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  static <T, E extends Throwable> T sneak(Throwable thrown) throws E {
    throw (E) thrown;
  }

  /** An authorizer whose answer a test can change. */
  static final class Rights implements ToolAuthorizer {
    final AtomicReference<ToolSelection> selection = new AtomicReference<>(ToolSelection.all());

    @Override
    public ToolSelection authorizedTools(Caller caller) {
      return selection.get();
    }
  }
}
