package dev.toolcrib.mcp;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets whoever starts a call follow its progress and cancel it, by the call's id. Tools of {@link
 * McpSources} take part.
 *
 * <p>Safe for use by many threads.
 */
public final class CallControl {

  private final Map<String, Followed> calls = new ConcurrentHashMap<>();

  /** Makes one that follows nothing yet. */
  public CallControl() {}

  private static final class Followed {
    final @Nullable Consumer<McpProgress> progress;
    private @Nullable Runnable cancel;
    private boolean cancelled;

    Followed(@Nullable Consumer<McpProgress> progress) {
      this.progress = progress;
    }

    synchronized void cancel() {
      cancelled = true;
      if (cancel != null) {
        cancel.run();
      }
    }

    synchronized void start(Runnable how) {
      cancel = how;
      if (cancelled) {
        how.run();
      }
    }
  }

  /**
   * Follows a call that is about to be made.
   *
   * @param callId its id, that no other call has
   * @param progress told how far it has come; must not block
   * @return ends it, to be called when the call is done
   */
  public Runnable follow(String callId, Consumer<McpProgress> progress) {
    return follow(callId, progress, true);
  }

  /** The same, where a server need not be asked for its progress if nobody {@code wants} it. */
  Runnable follow(String callId, Consumer<McpProgress> progress, boolean wants) {
    Followed followed = new Followed(wants ? progress : null);
    calls.put(callId, followed);
    return () -> calls.remove(callId, followed);
  }

  /**
   * Cancels a call that is followed. Its server is told; what it did already stays done.
   *
   * @param callId the call's id
   */
  public void cancel(String callId) {
    Followed followed = calls.get(callId);
    if (followed != null) {
      followed.cancel();
    }
  }

  /**
   * Who follows a call: where a tool of this process can tell how far it has come.
   *
   * @param callId the call's id, {@link dev.toolcrib.ToolCall#callId()}
   * @return takes what is told; null if nobody wants to know
   */
  public @Nullable Consumer<McpProgress> progressOf(String callId) {
    Followed followed = calls.get(callId);
    return followed == null ? null : followed.progress;
  }

  /** How many calls are followed. */
  int size() {
    return calls.size();
  }

  /** Says how a call that has been sent can be cancelled. */
  void started(String callId, Runnable cancel) {
    Followed followed = calls.get(callId);
    if (followed != null) {
      followed.start(cancel);
    }
  }
}
