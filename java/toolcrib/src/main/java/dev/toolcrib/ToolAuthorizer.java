package dev.toolcrib;

import java.util.List;

/**
 * Decides what a caller may discover, and on every single call.
 *
 * <p>Both questions are asked again each time: the first at every listing, search, rendering and
 * call, the second before every execution. So an answer may change at any moment, and a withdrawn
 * right takes effect at once; an implementation that is expensive should cache for as long as its
 * rules allow. Calls may come from many threads, but one session asks one question at a time.
 *
 * <p>A throw means "nothing" and "refused"; it is logged with its exception at level WARN.
 */
@FunctionalInterface
public interface ToolAuthorizer {

  /**
   * The tools that a caller may discover and try to call.
   *
   * @param caller who asks
   * @return the tools
   */
  ToolSelection authorizedTools(Caller caller);

  /**
   * Decides on one call of a tool that is already within {@link #authorizedTools}.
   *
   * @param call what is about to be executed, with validated arguments
   * @return the decision; by default the call is permitted
   */
  default Decision authorize(ToolCall call) {
    return Decision.permit();
  }

  /**
   * A chain, usually tenant, then role, then business configuration: a tool is authorized if every
   * link says so, and a call is permitted if every link permits it.
   *
   * @param authorizers the links; without any, nothing is authorized
   * @return the chain
   */
  static ToolAuthorizer allOf(ToolAuthorizer... authorizers) {
    return new AuthorizerChain(List.of(authorizers));
  }
}
