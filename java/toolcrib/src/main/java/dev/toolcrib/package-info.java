/**
 * Toolcrib keeps every tool an organisation has, shows each caller only what the caller may use,
 * shows the model only what the task needs, and checks again at every call.
 *
 * <p>Everything starts with a {@link dev.toolcrib.ToolRegistry}. Sources are put into it, sessions
 * are opened on it; a {@link dev.toolcrib.ToolAuthorizer} decides what each caller may use. JSON
 * goes in and out as text. Nothing is null unless it is marked {@code @Nullable}.
 *
 * <pre>{@code
 * String orderStatus() {
 *   ToolDefinition getOrder =
 *       ToolDefinition.named("get_order")
 *           .description("Look up one order by its number: items, amounts, status.")
 *           .inputSchema(
 *               """
 *               {"type": "object", "required": ["order"],
 *                "properties": {"order": {"type": "string", "pattern": "^SO-[0-9]+$"}}}
 *               """)
 *           .tags("read")
 *           .build();
 *   ToolSource orders =
 *       ToolSource.named("orders")
 *           .naming(Naming.PLAIN)
 *           .tool(getOrder, ToolExecutor.blocking(call -> ToolResult.text("shipped")))
 *           .build();
 *
 *   // Clerks may read; everybody else sees nothing.
 *   ToolAuthorizer authorizer =
 *       caller -> caller.hasRole("clerk") ? ToolSelection.tags("read") : ToolSelection.none();
 *
 *   try (ToolRegistry registry = ToolRegistry.builder().authorizer(authorizer).build()) {
 *     registry.put(orders);
 *     Caller ann = Caller.of("acme", "ann").withRoles("clerk");
 *     try (ToolSession session = registry.session(ann).open()) {
 *       // The model starts with tool_search alone, and calls it.
 *       session.call(CallRequest.of("tool_search", "{\"query\": \"look up an order\"}")).join();
 *       // From now on its requests declare get_order as well, so it can call that.
 *       String tools = session.render(Target.ANTHROPIC_MESSAGES).json();
 *       CallResult result =
 *           session.call(CallRequest.of("get_order", "{\"order\": \"SO-1042\"}")).join();
 *       return tools.contains("get_order") ? result.text() : "not found";
 *     }
 *   }
 * }
 * }</pre>
 */
@NullMarked
package dev.toolcrib;

import org.jspecify.annotations.NullMarked;
