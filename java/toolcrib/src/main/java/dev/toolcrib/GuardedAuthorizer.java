package dev.toolcrib;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An authorizer that cannot throw: where the service's own does, whatever it is, the answer is no.
 * Checked exceptions, too, come out of methods that declare none: Kotlin has no others.
 */
final class GuardedAuthorizer {

  private static final Logger LOG = LoggerFactory.getLogger(ToolAuthorizer.class);
  private static final Decision UNDECIDED =
      Decision.deny("This call could not be authorized. Do not try it again now.");

  private final ToolAuthorizer authorizer;

  GuardedAuthorizer(ToolAuthorizer authorizer) {
    this.authorizer = authorizer;
  }

  ToolSelection authorizedTools(Caller caller) {
    try {
      ToolSelection selection = authorizer.authorizedTools(caller);
      if (selection != null) {
        return selection;
      }
      LOG.warn("no tools for {}: the authorizer answered null", caller);
    } catch (Throwable e) {
      LOG.warn("no tools for {}: the authorizer threw", caller, e);
    }
    return ToolSelection.none();
  }

  Decision authorize(ToolCall call) {
    try {
      Decision decision = authorizer.authorize(call);
      if (decision != null) {
        return decision;
      }
      LOG.warn(
          "call of {} by {} refused: the authorizer answered null",
          call.tool().name(),
          call.caller());
    } catch (Throwable e) {
      LOG.warn(
          "call of {} by {} refused: the authorizer threw", call.tool().name(), call.caller(), e);
    }
    return UNDECIDED;
  }
}
