package app;

import dev.toolcrib.CallRequest;
import dev.toolcrib.Caller;
import dev.toolcrib.NativeVersion;
import dev.toolcrib.ToolDefinition;
import dev.toolcrib.ToolExecutor;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolResult;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSession;
import dev.toolcrib.ToolSource;
import dev.toolcrib.Toolcrib;
import dev.toolcrib.ToolcribException;
import dev.toolcrib.ToolcribLoadException;
import java.util.Optional;

/**
 * A program that uses Toolcrib as any other would: natives are called, native code calls back (a
 * refusal becomes an exception, an event is logged), and what came of it is printed as one line.
 */
public final class Shop {

  private Shop() {}

  public static void main(String[] args) {
    System.out.println(serve());
  }

  /** Gives {@code served …}, or why it could not. */
  public static String serve() {
    Optional<ToolcribLoadException> unavailability = Toolcrib.unavailability();
    if (unavailability.isPresent()) {
      return unavailability.get().getMessage();
    }
    try (ToolRegistry registry =
        ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build()) {
      registry.put(
          ToolSource.named("orders")
              .tool(
                  ToolDefinition.named("get_order").description("Finds an order").build(),
                  ToolExecutor.blocking(call -> ToolResult.text("SO-1 is shipped")))
              .build());
      try (ToolSession session = registry.session(Caller.of("acme", "ann")).open()) {
        String found = session.search("find order").hits().get(0).tool().name();
        String said = session.call(CallRequest.of(found, "{}")).join().text();
        return "served " + said + "; " + refusal(registry) + "; " + version();
      }
    }
  }

  private static String refusal(ToolRegistry registry) {
    try {
      registry.put(ToolSource.named("broken").toolsList("{").build());
      return "nothing refused";
    } catch (ToolcribException e) {
      return "refused " + e.code();
    }
  }

  private static String version() {
    NativeVersion version = Toolcrib.version();
    return version.target() + " " + version.profile();
  }
}
