package dev.toolcrib.demo.access;

import dev.toolcrib.Caller;
import dev.toolcrib.Decision;
import dev.toolcrib.ToolAuthorizer;
import dev.toolcrib.ToolCall;
import dev.toolcrib.ToolSelection;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The last link of the chain: what the business has switched off for now, and limits that depend on
 * the arguments of a call. Both can change while conversations go on.
 */
public final class BusinessConfiguration implements ToolAuthorizer {

  private static final ToolSelection READ = ToolSelection.tags("read");

  private final Map<String, Set<String>> frozen = new ConcurrentHashMap<>();

  /** The most that a call may say without the role {@code ROLE_MANAGEMENT}, in an argument. */
  private static final Map<String, Ceiling> CEILINGS =
      new TreeMap<>(
          Map.of(
              "order_create", new Ceiling("/discountPercent", 15),
              "quote_create", new Ceiling("/discountPercent", 20),
              "stock_adjust", new Ceiling("/delta", 100),
              "credit_note_create", new Ceiling("/amount", 20_000),
              "coupon_issue", new Ceiling("/percent", 25)));

  /** An argument and its largest value, whatever its sign. */
  private record Ceiling(String argument, long most) {
    boolean allows(String arguments) {
      JsonNode value = JsonMapper.shared().readTree(arguments).at(JsonPointer.compile(argument));
      return !value.isNumber()
          || value.decimalValue().abs().compareTo(BigDecimal.valueOf(most)) <= 0;
    }
  }

  /** From now on nothing but reading is allowed in a source, for a whole tenant. */
  public void freeze(String tenant, String source) {
    frozen.computeIfAbsent(tenant, none -> new ConcurrentSkipListSet<>()).add(source);
  }

  /** Allows again what {@link #freeze} took away. */
  public void thaw(String tenant, String source) {
    frozen.getOrDefault(tenant, Set.of()).remove(source);
  }

  @Override
  public ToolSelection authorizedTools(Caller caller) {
    String[] sources = frozen.getOrDefault(caller.tenant(), Set.of()).toArray(String[]::new);
    return ToolSelection.all().except(ToolSelection.sources(sources).except(READ));
  }

  @Override
  public Decision authorize(ToolCall call) {
    Ceiling ceiling = CEILINGS.get(call.tool().name());
    if (ceiling == null
        || call.caller().hasRole(Role.MANAGEMENT)
        || ceiling.allows(call.arguments())) {
      return Decision.permit();
    }
    return Decision.deny(
        "%s above %d needs the management; ask for approval or stay below 超出权限上限，请主管审批。"
            .formatted(ceiling.argument(), ceiling.most()));
  }
}
