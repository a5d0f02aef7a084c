package dev.toolcrib.spring.boot;

import dev.toolcrib.HandledCall;
import dev.toolcrib.SearchOutcome;
import dev.toolcrib.ToolSession;
import java.time.Duration;
import java.util.List;

/**
 * Hears what happens in the conversations of {@link ToolSessions}: for metrics, for an audit log.
 * Every bean of this type is told, in order. It is called on the thread that did the work and
 * should be quick; what it throws is logged and changes nothing.
 */
public interface ToolSessionListener {

  /**
   * Tools were searched, by the service or by a model that called {@code tool_search}.
   *
   * @param session whose
   * @param outcome what was found
   * @param took how long it took
   */
  default void searched(ToolSession session, SearchOutcome outcome, Duration took) {}

  /**
   * Tools came into the active set, by a search or by name.
   *
   * @param session whose
   * @param toolNames the names added, never empty
   */
  default void activated(ToolSession session, List<String> toolNames) {}

  /**
   * A call was handled, whatever came of it: one of the model, or one that a script made, which
   * names the script's call as its parent.
   *
   * @param call what was called and what came of it
   */
  default void called(HandledCall call) {}

  /**
   * A kept session was closed because it was idle for too long or room was needed.
   *
   * @param session which, closed already
   * @param reason why
   */
  default void evicted(ToolSession session, Eviction reason) {}

  /** Why a kept session was closed. */
  enum Eviction {
    /** It was not used for as long as sessions are kept. */
    IDLE,
    /** It was the one used least recently when there were too many, of its user or in all. */
    CAPACITY
  }
}
