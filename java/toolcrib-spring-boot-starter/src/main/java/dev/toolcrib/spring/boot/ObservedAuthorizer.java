package dev.toolcrib.spring.boot;

import dev.toolcrib.Caller;
import dev.toolcrib.Decision;
import dev.toolcrib.ToolAuthorizer;
import dev.toolcrib.ToolCall;
import dev.toolcrib.ToolInfo;
import dev.toolcrib.ToolSelection;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides as another authorizer does, and lets {@link ToolSessionListener} know which tool a call
 * came to. The auto-configured registry has one; with a registry of your own, wrap its authorizer
 * if listeners should know the tool.
 */
public final class ObservedAuthorizer implements ToolAuthorizer {

  // A session asks its authorizer on the thread that makes the call.
  private static final ThreadLocal<Seen> SEEN = new ThreadLocal<>();

  private final ToolAuthorizer authorizer;

  /**
   * Wraps an authorizer.
   *
   * @param authorizer who decides
   */
  public ObservedAuthorizer(ToolAuthorizer authorizer) {
    this.authorizer = authorizer;
  }

  @Override
  public ToolSelection authorizedTools(Caller caller) {
    return authorizer.authorizedTools(caller);
  }

  @Override
  public Decision authorize(ToolCall call) {
    Seen seen = SEEN.get();
    if (seen != null) {
      seen.tool = call.tool();
    }
    return authorizer.authorize(call);
  }

  /** Makes a call and notes in {@code seen} what the authorizer was asked about meanwhile. */
  static <T> T observe(Seen seen, Supplier<T> call) {
    Seen outer = SEEN.get();
    SEEN.set(seen);
    try {
      return call.get();
    } finally {
      if (outer == null) {
        SEEN.remove();
      } else {
        SEEN.set(outer);
      }
    }
  }

  /** The tool of one call. */
  static final class Seen {
    private @Nullable ToolInfo tool;

    @Nullable ToolInfo tool() {
      return tool;
    }
  }
}
