package dev.toolcrib.spring.boot;

import dev.toolcrib.CallResult;
import dev.toolcrib.HandledCall;
import dev.toolcrib.SearchOutcome;
import dev.toolcrib.ToolSession;
import dev.toolcrib.spring.boot.ToolSessionListener.Eviction;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells listeners; what one throws reaches neither the others nor the caller. */
final class SessionEvents {

  private static final Logger LOG = LoggerFactory.getLogger(ToolSessionListener.class);

  private final List<ToolSessionListener> listeners;
  private final LongSupplier nanoTime;

  SessionEvents(Collection<? extends ToolSessionListener> listeners, LongSupplier nanoTime) {
    this.listeners = List.copyOf(listeners);
    this.nanoTime = nanoTime;
  }

  long now() {
    return nanoTime.getAsLong();
  }

  void searched(ToolSession session, SearchOutcome outcome, long since) {
    searched(session, outcome, Duration.ofNanos(now() - since));
  }

  private void searched(ToolSession session, SearchOutcome outcome, Duration took) {
    tell(listener -> listener.searched(session, outcome, took));
    activated(session, outcome.addedToolNames());
  }

  void activated(ToolSession session, List<String> toolNames) {
    if (!toolNames.isEmpty()) {
      tell(listener -> listener.activated(session, toolNames));
    }
  }

  /** Hears of every call of a session, as its listener. */
  void called(HandledCall call) {
    tell(listener -> listener.called(call));
    if (call.result() instanceof CallResult.Searched searched) {
      searched(call.session(), searched.outcome(), call.took());
    }
  }

  void evicted(ToolSession session, Eviction reason) {
    tell(listener -> listener.evicted(session, reason));
  }

  private void tell(Consumer<ToolSessionListener> event) {
    for (ToolSessionListener listener : listeners) {
      try {
        event.accept(listener);
      } catch (RuntimeException e) {
        LOG.warn("{} threw", listener.getClass().getName(), e);
      }
    }
  }
}
