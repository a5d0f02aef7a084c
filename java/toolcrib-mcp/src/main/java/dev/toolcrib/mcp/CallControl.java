package dev.toolcrib.mcp;

import dev.toolcrib.HandledCall;
import dev.toolcrib.ToolCall;
import java.util.ArrayList;
import java.util.List;
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
    // Of a script its own and those of its calls, which the limits of scripts bound.
    private final List<Runnable> cancels = new ArrayList<>();
    private boolean cancelled;
    private int done;

    Followed(@Nullable Consumer<McpProgress> progress) {
      this.progress = progress;
    }

    void cancel() {
      List<Runnable> all;
      synchronized (this) {
        cancelled = true;
        all = List.copyOf(cancels);
      }
      all.forEach(Runnable::run);
    }

    void start(Runnable how) {
      synchronized (this) {
        cancels.add(how);
        if (!cancelled) {
          return;
        }
      }
      how.run();
    }

    synchronized boolean isCancelled() {
      return cancelled;
    }

    /** The calls of a script are its progress; told in order, since it only ever grows. */
    synchronized void step(String message) {
      if (progress != null) {
        progress.accept(new McpProgress(++done, null, message));
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
   * Cancels a call that is followed, and of a script the calls that it has made. Their servers are
   * told; what was done already stays done.
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

  /** Whether a call that is followed was cancelled. */
  boolean isCancelled(String callId) {
    Followed followed = calls.get(callId);
    return followed != null && followed.isCancelled();
  }

  /** Says how a call that has been sent can be cancelled, by itself or with the script it is of. */
  void started(ToolCall call, Runnable cancel) {
    String script = call.parentCallId();
    started(script != null && !calls.containsKey(call.callId()) ? script : call.callId(), cancel);
  }

  /** Says how a call can be cancelled, beside what was said before. */
  void started(String callId, Runnable cancel) {
    Followed followed = calls.get(callId);
    if (followed != null) {
      followed.start(cancel);
    }
  }

  /** Tells who follows a script that a call of it is done. */
  void handled(HandledCall call) {
    Followed script = call.parentCallId() == null ? null : calls.get(call.parentCallId());
    if (script != null) {
      String how = call.result().isError() ? "failed" : "done";
      script.step("%s: %s".formatted(Connection.cut(call.request().name()), how));
    }
  }
}
