package dev.toolcrib;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A session as it is at one moment.
 *
 * @param tools every tool of the active set in the order of activation, unmodifiable; those of
 *     Toolcrib's own, such as {@code tool_search}, are not among them
 * @param journal how the active set came about, oldest entry first, unmodifiable
 * @param authorized how many tools the caller may discover
 * @param version the registry version this is true for
 */
public record SessionState(List<Tool> tools, List<Entry> journal, int authorized, long version) {

  static SessionState read(FrameReader frame) {
    return new SessionState(
        frame.list(Tool::read), frame.list(Entry::read), frame.count(), frame.number());
  }

  /**
   * The tools of one standing.
   *
   * @param standing which
   * @return public names in the order of activation, unmodifiable
   */
  public List<String> tools(Standing standing) {
    return tools.stream().filter(tool -> tool.standing == standing).map(Tool::name).toList();
  }

  /**
   * A tool of the active set.
   *
   * @param name its public name
   * @param standing what has become of it
   */
  public record Tool(String name, Standing standing) {

    static Tool read(FrameReader frame) {
      return new Tool(frame.text(), frame.constant(Standing.values()));
    }
  }

  /** What has become of a tool of the active set. */
  public enum Standing {
    /** Declared and callable. */
    ACTIVE,
    /** Not registered at present; comes back with its source. */
    PENDING,
    /** Registered, but the caller has no right to it at present. */
    WITHHELD
  }

  /**
   * One entry of the journal.
   *
   * @param kind why the tools came in
   * @param position the turn or message id, if one was given
   * @param addedToolNames the tools added, in their order
   */
  public record Entry(Kind kind, @Nullable String position, List<String> addedToolNames) {

    static Entry read(FrameReader frame) {
      return new Entry(frame.constant(Kind.values()), frame.optionalText(), frame.texts());
    }
  }

  /** Why tools came into the active set. */
  public enum Kind {
    /** Wanted by whoever opened the session. */
    PINNED,
    /** Of exposure {@link Exposure#DIRECT}. */
    DIRECT,
    /** Found by a search. */
    SEARCH,
    /** Activated by name. */
    ACTIVATE,
    /** A named place to come back to; adds nothing. */
    MARK,
    /** A script stored something; adds nothing. */
    STORED
  }
}
