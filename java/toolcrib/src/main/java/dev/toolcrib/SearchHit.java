package dev.toolcrib;

/**
 * One tool that a search found.
 *
 * @param tool the tool
 * @param score how well it fits; comparable within one outcome only
 * @param state what the search did with it
 */
public record SearchHit(ToolInfo tool, double score, State state) {

  /** What a search did with a hit. */
  public enum State {
    /** It was added to the active set. */
    ADDED,
    /** It was active before. */
    ALREADY_ACTIVE,
    /** The active set has no room for it. */
    NO_ROOM
  }

  static SearchHit read(FrameReader frame) {
    return new SearchHit(
        ToolFrames.readInfo(frame), frame.decimal(), frame.constant(State.values()));
  }
}
