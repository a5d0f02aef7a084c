package shop;

import dev.toolcrib.CallRequest;
import dev.toolcrib.Caller;
import dev.toolcrib.ToolDefinition;
import dev.toolcrib.ToolExecutor;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolResult;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSession;
import dev.toolcrib.ToolSource;
import dev.toolcrib.Toolcrib;

/** Finds a tool and calls it. */
public final class Shop {

  private Shop() {}

  public static void main(String[] args) {
    System.out.println(Toolcrib.version());
    System.out.println(answer("where is my order", "{}"));
  }

  static String answer(String question, String arguments) {
    try (ToolRegistry registry =
        ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build()) {
      registry.put(
          ToolSource.named("orders")
              .tool(
                  ToolDefinition.named("get_order").description("Finds an order").build(),
                  ToolExecutor.blocking(call -> ToolResult.text("SO-1 is shipped")))
              .build());
      try (ToolSession session = registry.session(Caller.of("acme", "ann")).open()) {
        String found = session.search(question).hits().get(0).tool().name();
        return session.call(CallRequest.of(found, arguments)).join().text();
      }
    }
  }
}
