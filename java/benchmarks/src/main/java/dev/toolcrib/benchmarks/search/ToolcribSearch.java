package dev.toolcrib.benchmarks.search;

import dev.toolcrib.SearchOutcome;
import dev.toolcrib.SearchRequest;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSession;
import dev.toolcrib.benchmarks.data.Crib;
import dev.toolcrib.benchmarks.data.Rights;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Toolcrib through its public API, with the caller's rights asked for at every search.
 *
 * <p>Each question has a session of its own in which what it finds is active already, so that every
 * repetition does the same.
 */
public final class ToolcribSearch implements SearchEngine {

  private final ToolRegistry registry;
  private final ToolSelection rights;
  private final Map<String, ToolSession> sessions = new HashMap<>();

  /**
   * Searches a registry.
   *
   * @param registry all tools; stays open when this is closed
   * @param rights what the caller may use
   */
  public ToolcribSearch(ToolRegistry registry, Rights rights) {
    this.registry = registry;
    this.rights = rights.selection();
  }

  @Override
  public SearchOutcome search(String question) {
    return sessions.computeIfAbsent(question, q -> open()).search(question);
  }

  @Override
  public List<String> find(String question, int limit) {
    try (ToolSession session = open()) {
      return session.search(SearchRequest.of(question).withLimit(limit)).hits().stream()
          .map(hit -> Crib.key(hit.tool()))
          .toList();
    }
  }

  private ToolSession open() {
    return registry.session(Crib.CALLER).authorizer(caller -> rights).open();
  }

  @Override
  public void close() {
    sessions.values().forEach(ToolSession::close);
  }
}
