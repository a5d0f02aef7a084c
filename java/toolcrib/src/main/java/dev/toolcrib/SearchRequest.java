package dev.toolcrib;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * What to search for.
 *
 * @param query what the tool should do, in words of any language, or a tool's name; no syntax
 * @param limit most hits, clamped to {@link Limit#MAX_SEARCH_LIMIT}; null stands for {@link
 *     Limit#DEFAULT_SEARCH_LIMIT}
 * @param position the turn or message id that the activation is recorded under
 * @param within only tools that this selects as well; their ranking is not changed by it
 */
public record SearchRequest(
    String query,
    @Nullable Integer limit,
    @Nullable String position,
    @Nullable ToolSelection within) {

  /**
   * Checks what is given.
   *
   * @throws IllegalArgumentException if the limit is not positive
   */
  public SearchRequest {
    requireNonNull(query, "query");
    if (limit != null && limit < 1) {
      throw new IllegalArgumentException("the limit of a search is %s".formatted(limit));
    }
  }

  /**
   * A search with the default limit among all the caller may discover.
   *
   * @param query what to search for
   * @return the request
   */
  public static SearchRequest of(String query) {
    return new SearchRequest(query, null, null, null);
  }

  /**
   * This request with another limit.
   *
   * @param limit most hits, at least 1
   * @return a new request
   */
  public SearchRequest withLimit(int limit) {
    return new SearchRequest(query, limit, position, within);
  }

  /**
   * This request with a position.
   *
   * @param position the turn or message id
   * @return a new request
   */
  public SearchRequest withPosition(String position) {
    return new SearchRequest(query, limit, position, within);
  }

  /**
   * This request among fewer tools.
   *
   * @param selection what to search among
   * @return a new request
   */
  public SearchRequest within(ToolSelection selection) {
    return new SearchRequest(query, limit, position, selection);
  }

  void writeTo(FrameWriter frame) {
    frame.lenientText(query);
    frame.optional(limit, (f, number) -> f.number(number)).optionalText(position);
    frame.optional(within, (f, selection) -> selection.writeTo(f));
  }
}
