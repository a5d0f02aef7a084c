package dev.toolcrib;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Who asks: a user of a tenant, with roles and attributes.
 *
 * <p>A caller is always passed explicitly; Toolcrib keeps no "current caller". What the caller may
 * use is not part of it but the answer of a {@link ToolAuthorizer}.
 *
 * @param tenant the tenant, never blank
 * @param user the user within the tenant, never blank
 * @param roles the roles, unmodifiable
 * @param attributes anything else an authorizer or a tool needs, unmodifiable; may hold secrets, so
 *     {@link #toString()} shows only the names
 */
public record Caller(
    String tenant, String user, Set<String> roles, Map<String, String> attributes) {

  /**
   * Copies the collections.
   *
   * @throws IllegalArgumentException if tenant or user is blank
   */
  public Caller {
    if (tenant.isBlank() || user.isBlank()) {
      throw new IllegalArgumentException("a caller needs a tenant and a user, neither blank");
    }
    roles = Set.copyOf(roles);
    attributes = Map.copyOf(attributes);
  }

  /**
   * A caller without roles and attributes.
   *
   * @param tenant the tenant
   * @param user the user within the tenant
   * @return the caller
   */
  public static Caller of(String tenant, String user) {
    return new Caller(tenant, user, Set.of(), Map.of());
  }

  /**
   * This caller with exactly these roles.
   *
   * @param roles the roles
   * @return a new caller
   */
  public Caller withRoles(String... roles) {
    return new Caller(tenant, user, Set.of(roles), attributes);
  }

  /**
   * This caller with one more attribute, or another value for it.
   *
   * @param name the attribute
   * @param value its value
   * @return a new caller
   */
  public Caller withAttribute(String name, String value) {
    Map<String, String> all = new TreeMap<>(attributes);
    all.put(name, value);
    return new Caller(tenant, user, roles, all);
  }

  /**
   * Whether the caller has a role.
   *
   * @param role the role
   * @return true if it is among {@link #roles()}
   */
  public boolean hasRole(String role) {
    return roles.contains(role);
  }

  @Override
  public String toString() {
    return "Caller[tenant=%s, user=%s, roles=%s, attributes=%s]"
        .formatted(tenant, user, new TreeSet<>(roles), new TreeSet<>(attributes.keySet()));
  }
}
