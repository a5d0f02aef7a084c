package dev.toolcrib.demo.access;

import dev.toolcrib.Caller;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who works for the group, as far as the demo goes.
 *
 * @param login the user's name
 * @param title the name of the person
 * @param tenant the company
 * @param roles the roles
 */
public record DemoUser(String login, String title, Tenant tenant, Set<String> roles) {

  /** Sells in China. */
  public static final DemoUser CHEN_WEI =
      new DemoUser("chen.wei", "陈薇", Tenant.CN, Set.of(Role.SALES));

  /** Runs the warehouse in Suzhou. */
  public static final DemoUser LI_QIANG =
      new DemoUser("li.qiang", "李强", Tenant.CN, Set.of(Role.WAREHOUSE));

  /** Keeps the books in Europe. */
  public static final DemoUser ANNA =
      new DemoUser("anna.devries", "Anna de Vries", Tenant.EU, Set.of(Role.FINANCE));

  /** Administers offices and systems, and connects those of others. */
  public static final DemoUser JONAS =
      new DemoUser(
          "jonas.becker", "Jonas Becker", Tenant.EU, Set.of(Role.ADMINISTRATION, Role.INTEGRATION));

  /** Manages the web shop. */
  public static final DemoUser ZHAO_MIN =
      new DemoUser("zhao.min", "赵敏", Tenant.PARTS, Set.of(Role.MANAGEMENT));

  /** All of them. */
  public static final List<DemoUser> ALL = List.of(CHEN_WEI, LI_QIANG, ANNA, JONAS, ZHAO_MIN);

  /** The name in short. */
  public String firstName() {
    int end = title.indexOf(' ');
    return end < 0 ? title : title.substring(0, end);
  }

  /** The user as Toolcrib's callers are; the same that the HTTP endpoints make of a login. */
  public Caller caller() {
    return new Caller(tenant.id(), login, roles, Map.of());
  }

  /** The only password there is. */
  public String password() {
    return "demo";
  }
}
