package dev.toolcrib;

/**
 * Hears of every call of a session when it is done, those that scripts make included: for metrics,
 * for an audit log. It is called on the thread that did the work and should be quick; what it
 * throws is logged and changes nothing.
 */
@FunctionalInterface
public interface ToolCallListener {

  /**
   * A call was handled.
   *
   * @param call what was called and what came of it
   */
  void called(HandledCall call);
}
