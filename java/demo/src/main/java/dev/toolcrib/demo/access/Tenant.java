package dev.toolcrib.demo.access;

import dev.toolcrib.ToolSelection;
import java.util.stream.Stream;

/** The companies of the group, and what each has licensed. */
public enum Tenant {
  /** Makes pumps and valves in Suzhou; has everything. */
  CN(
      "linsun-cn",
      "林隼工业（苏州）",
      "orders",
      "inventory",
      "logistics",
      "purchasing",
      "production",
      "quality",
      "hr",
      "marketing",
      "crm",
      "invoices",
      "finance",
      "it",
      "facilities",
      "legal"),
  /** Sells them in Europe; makes nothing. */
  EU(
      "linsun-eu",
      "Linsun Europe B.V.",
      "orders",
      "inventory",
      "logistics",
      "purchasing",
      "quality",
      "crm",
      "invoices",
      "finance",
      "it",
      "facilities",
      "legal"),
  /** A web shop for spare parts. */
  PARTS(
      "linsun-parts",
      "林隼备件商城",
      "orders",
      "inventory",
      "logistics",
      "purchasing",
      "marketing",
      "crm",
      "invoices");

  private final String id;
  private final String title;

  @SuppressWarnings("ImmutableEnumChecker") // a selection never changes
  private final ToolSelection licensed;

  Tenant(String id, String title, String... sources) {
    this.id = id;
    this.title = title;
    // Rights name sources, not domains: a source's name is given by the service, while a tool of
    // somebody else's list can claim any domain.
    this.licensed = ToolSelection.sources(sources).or(RoleRights.EXTERNAL);
  }

  /** What callers have as their tenant. */
  public String id() {
    return id;
  }

  /** What people call it. */
  public String title() {
    return title;
  }

  /** The tools of a tenant; none if there is no such tenant. */
  static ToolSelection licensed(String id) {
    return Stream.of(values())
        .filter(tenant -> tenant.id.equals(id))
        .map(tenant -> tenant.licensed)
        .findFirst()
        .orElse(ToolSelection.none());
  }
}
