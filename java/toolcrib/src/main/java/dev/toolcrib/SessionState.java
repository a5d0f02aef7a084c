package dev.toolcrib;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a session knows of its tools.
 *
 * @param active the tools declared to the model, in their order, {@code tool_search} first
 * @param pending active tools whose source is not registered now; they come back with it
 * @param withheld active tools that the caller may not use any more
 * @param journal how the active set came about, oldest first
 */
public record SessionState(
    List<String> active, List<String> pending, List<String> withheld, List<Activation> journal) {

  /** Copies the lists. */
  public SessionState {
    active = List.copyOf(active);
    pending = List.copyOf(pending);
    withheld = List.copyOf(withheld);
    journal = List.copyOf(journal);
  }

  static SessionState read(FrameReader frame) {
    return new SessionState(
        frame.texts(),
        frame.texts(),
        frame.texts(),
        frame.list(f -> new Activation(f.optionalText(), f.texts())));
  }

  /**
   * One entry of the journal.
   *
   * @param position the turn or message id, if one was given
   * @param addedToolNames the tools activated, in their order
   */
  public record Activation(@Nullable String position, List<String> addedToolNames) {}
}
