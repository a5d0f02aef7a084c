package dev.toolcrib;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What to search for. Filters narrow the result; of several values in one filter any may fit, and
 * every filter must.
 *
 * @param query what the tool should do, in words of any language, or a tool's name; no syntax
 * @param limit most hits, clamped to {@link Limit#MAX_SEARCH_LIMIT}; 0 stands for {@link
 *     Limit#DEFAULT_SEARCH_LIMIT}
 * @param position the turn or message id that the activation is recorded under
 * @param sources names of sources, unmodifiable; empty does not filter
 * @param domains business domains, unmodifiable; empty does not filter
 * @param tags tags, unmodifiable; empty does not filter
 */
public record SearchRequest(
    String query,
    int limit,
    @Nullable String position,
    Set<String> sources,
    Set<String> domains,
    Set<String> tags) {

  /**
   * Copies the collections.
   *
   * @throws IllegalArgumentException if the limit is negative
   */
  public SearchRequest {
    if (limit < 0) {
      throw new IllegalArgumentException("the limit of a search is %d".formatted(limit));
    }
    sources = Set.copyOf(sources);
    domains = Set.copyOf(domains);
    tags = Set.copyOf(tags);
  }

  /**
   * An unfiltered search with the default limit.
   *
   * @param query what to search for
   * @return the request
   */
  public static SearchRequest of(String query) {
    return new SearchRequest(query, 0, null, Set.of(), Set.of(), Set.of());
  }

  /**
   * This request with another limit.
   *
   * @param limit most hits
   * @return a new request
   */
  public SearchRequest withLimit(int limit) {
    return new SearchRequest(query, limit, position, sources, domains, tags);
  }

  /**
   * This request with a position.
   *
   * @param position the turn or message id
   * @return a new request
   */
  public SearchRequest withPosition(@Nullable String position) {
    return new SearchRequest(query, limit, position, sources, domains, tags);
  }

  /**
   * This request, only among these sources.
   *
   * @param sources names of sources
   * @return a new request
   */
  public SearchRequest withSources(Collection<String> sources) {
    return new SearchRequest(query, limit, position, Set.copyOf(sources), domains, tags);
  }

  /**
   * This request, only among these business domains.
   *
   * @param domains domains
   * @return a new request
   */
  public SearchRequest withDomains(Collection<String> domains) {
    return new SearchRequest(query, limit, position, sources, Set.copyOf(domains), tags);
  }

  /**
   * This request, only among tools with any of these tags.
   *
   * @param tags tags
   * @return a new request
   */
  public SearchRequest withTags(Collection<String> tags) {
    return new SearchRequest(query, limit, position, sources, domains, Set.copyOf(tags));
  }

  void writeTo(FrameWriter frame) {
    frame.text(query).number(limit).optionalText(position);
    for (Set<String> filter : List.of(sources, domains, tags)) {
      frame.texts(filter);
    }
  }
}
