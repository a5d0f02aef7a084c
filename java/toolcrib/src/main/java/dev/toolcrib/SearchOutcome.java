package dev.toolcrib;

import java.util.List;

/** What came of a search: something new, nothing new, or nothing. */
public sealed interface SearchOutcome {

  /**
   * What the model reads.
   *
   * @return text, never empty
   */
  String text();

  /**
   * The tools found, best first; equal scores in the order of their names.
   *
   * @return the hits, unmodifiable
   */
  default List<SearchHit> hits() {
    return List.of();
  }

  /**
   * The tools that this search activated, in the order in which they are declared from now on.
   *
   * @return public names, unmodifiable
   */
  default List<String> addedToolNames() {
    return List.of();
  }

  /**
   * The {@linkplain ToolRegistry#expect expected} sources that the caller may know of and whose
   * tools were not searched, for they are not known yet; the text says so too.
   *
   * @return names of sources in their order, unmodifiable
   */
  List<String> notReady();

  /**
   * Tools were found, and some were activated.
   *
   * @param text what the model reads
   * @param hits the tools found, best first
   * @param addedToolNames the tools activated
   * @param notReady the sources that were not searched
   */
  record Found(
      String text, List<SearchHit> hits, List<String> addedToolNames, List<String> notReady)
      implements SearchOutcome {}

  /**
   * Tools were found, and all of them were active before.
   *
   * @param text what the model reads
   * @param hits the tools found, best first
   * @param notReady the sources that were not searched
   */
  record AlreadyActive(String text, List<SearchHit> hits, List<String> notReady)
      implements SearchOutcome {}

  /**
   * Nothing fits. Everything suggested comes from what the caller may discover.
   *
   * @param text what the model reads
   * @param nearNames names of tools that look like the query
   * @param sources sources that have tools for the caller
   * @param notReady the sources that were not searched
   */
  record NothingFound(
      String text, List<String> nearNames, List<String> sources, List<String> notReady)
      implements SearchOutcome {}

  /** Reads an outcome; the number before each form is its position in this interface. */
  static SearchOutcome read(FrameReader frame) {
    int form = frame.count();
    return switch (form) {
      case 0 -> new Found(frame.text(), frame.list(SearchHit::read), frame.texts(), frame.texts());
      case 1 -> new AlreadyActive(frame.text(), frame.list(SearchHit::read), frame.texts());
      case 2 -> new NothingFound(frame.text(), frame.texts(), frame.texts(), frame.texts());
      default -> throw frame.broken("unknown search outcome " + form);
    };
  }
}
