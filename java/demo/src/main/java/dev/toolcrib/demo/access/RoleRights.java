package dev.toolcrib.demo.access;

import dev.toolcrib.Caller;
import dev.toolcrib.ToolAuthorizer;
import dev.toolcrib.ToolSelection;
import java.util.Map;

/** The second link of the chain: what a user's roles allow. Several roles add up. */
final class RoleRights implements ToolAuthorizer {

  /** Tools that were loaded from files; the tag is given by the loader to its sources. */
  static final ToolSelection EXTERNAL = ToolSelection.tags(Role.EXTERNAL_TAG);

  private static final ToolSelection READ = ToolSelection.tags("read");
  private static final ToolSelection DESTROY = ToolSelection.tags("destructive");

  private static final Map<String, ToolSelection> RIGHTS =
      Map.of(
          Role.SALES,
          everythingIn("orders", "crm", "marketing")
              .except(ToolSelection.names("return_refund", "customer_set_credit_limit"))
              .or(readingIn("inventory", "logistics", "invoices")),
          Role.WAREHOUSE,
          everythingIn("inventory", "logistics", "quality", "production")
              .except(DESTROY)
              .or(readingIn("orders", "purchasing")),
          Role.FINANCE,
          everythingIn("invoices", "finance").or(readingIn("orders", "purchasing", "crm", "legal")),
          Role.ADMINISTRATION,
          everythingIn("it", "facilities").or(readingIn("hr", "legal")),
          Role.INTEGRATION,
          EXTERNAL,
          Role.MANAGEMENT,
          ToolSelection.all());

  @Override
  public ToolSelection authorizedTools(Caller caller) {
    return caller.roles().stream()
        .sorted()
        .map(role -> RIGHTS.getOrDefault(role, ToolSelection.none()))
        .reduce(ToolSelection.none(), ToolSelection::or);
  }

  private static ToolSelection everythingIn(String... sources) {
    return ToolSelection.sources(sources);
  }

  private static ToolSelection readingIn(String... sources) {
    return ToolSelection.sources(sources).and(READ);
  }
}
