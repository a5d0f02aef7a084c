package dev.toolcrib.benchmarks.search;

import dev.toolcrib.SearchOutcome;
import dev.toolcrib.SearchRequest;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSession;
import dev.toolcrib.benchmarks.data.Crib;
import dev.toolcrib.benchmarks.data.Rights;
import dev.toolcrib.benchmarks.data.Tool;
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
  private final Map<String, ToolSession> sessions = new HashMap<>();

  /**
   * Publishes all tools.
   *
   * @param tools all tools
   * @param rights what the caller may use
   */
  public ToolcribSearch(List<Tool> tools, Rights rights) {
    ToolSelection selection = rights.selection();
    registry = Crib.registry(tools, caller -> selection, builder -> builder);
  }

  @Override
  public SearchOutcome search(String question) {
    return sessions
        .computeIfAbsent(question, q -> registry.session(Crib.CALLER).open())
        .search(question);
  }

  @Override
  public List<String> find(String question, int limit) {
    try (ToolSession session = registry.session(Crib.CALLER).open()) {
      return session.search(SearchRequest.of(question).withLimit(limit)).hits().stream()
          .map(hit -> Crib.key(hit.tool()))
          .toList();
    }
  }

  /** The registry, for what else is measured with it. */
  public ToolRegistry registry() {
    return registry;
  }

  @Override
  public void close() {
    sessions.values().forEach(ToolSession::close);
    registry.close();
  }
}
