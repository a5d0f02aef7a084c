package dev.toolcrib.demo.access;

/** Roles as Spring Security names them. */
public final class Role {

  static final String SALES = "ROLE_SALES";
  static final String WAREHOUSE = "ROLE_WAREHOUSE";
  static final String FINANCE = "ROLE_FINANCE";
  static final String ADMINISTRATION = "ROLE_ADMINISTRATION";
  static final String INTEGRATION = "ROLE_INTEGRATION";
  static final String MANAGEMENT = "ROLE_MANAGEMENT";

  /** Marks tools that do not come from the service itself. */
  public static final String EXTERNAL_TAG = "external";

  private Role() {}
}
