package dev.toolcrib.spring.boot;

import dev.toolcrib.Caller;
import dev.toolcrib.ToolAuthorizer;
import dev.toolcrib.ToolDefinition;
import dev.toolcrib.ToolExecutor;
import dev.toolcrib.ToolResult;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSource;

/** The tools and rights that the tests use: clerks may look, managers may do everything. */
public final class Crib {

  public static final Caller CLERK = Caller.of("acme", "ann").withRoles("clerk");
  public static final Caller MANAGER = Caller.of("acme", "max").withRoles("manager");

  public static final String ORDER_SCHEMA =
      """
      {"type":"object","properties":{"order":{"type":"string","description":"order number"}},
       "required":["order"],"additionalProperties":false}\
      """;

  private Crib() {}

  public static ToolSource orders() {
    return orders(ToolExecutor.blocking(call -> ToolResult.json(call.arguments())));
  }

  public static ToolSource orders(ToolExecutor executor) {
    return ToolSource.named("orders")
        .description("Orders of the web shop")
        .tool(tool("find_order", "Finds an order by its number", "look"), executor)
        .tool(tool("track_order", "Tells where the parcel of an order is", "look"), executor)
        .tool(tool("refund_order", "Pays back what an order cost", "money"), executor)
        .build();
  }

  public static ToolAuthorizer byRole() {
    return caller ->
        caller.hasRole("manager")
            ? ToolSelection.all()
            : caller.hasRole("clerk") ? ToolSelection.tags("look") : ToolSelection.none();
  }

  private static ToolDefinition tool(String name, String description, String tag) {
    return ToolDefinition.named(name)
        .description(description)
        .inputSchema(ORDER_SCHEMA)
        .tags(tag)
        .build();
  }
}
