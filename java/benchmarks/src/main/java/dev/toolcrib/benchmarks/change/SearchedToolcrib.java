package dev.toolcrib.benchmarks.change;

import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSession;
import dev.toolcrib.benchmarks.data.Crib;
import dev.toolcrib.benchmarks.data.Rights;
import dev.toolcrib.benchmarks.data.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** Sessions of a registry; every search asks for the caller's rights and follows the registry. */
final class SearchedToolcrib implements Searched {

  private final ToolSelection[] rights = {
    Rights.half(0).selection(), Rights.half(1).selection(),
  };
  private final Map<String, List<Tool>> bySource;
  private final ToolRegistry registry;
  private final ConcurrentLinkedQueue<ToolSession> sessions = new ConcurrentLinkedQueue<>();
  private volatile ToolSelection now = rights[0];

  SearchedToolcrib(List<Tool> tools) {
    bySource = Crib.bySource(tools);
    registry = Crib.registry(tools, caller -> now, builder -> builder);
  }

  @Override
  public Consumer<String> searcher() {
    ToolSession session = registry.session(Crib.CALLER).open();
    sessions.add(session);
    return session::search;
  }

  @Override
  public List<String> find(String question) {
    try (ToolSession session = registry.session(Crib.CALLER).open()) {
      return session.search(question).hits().stream().map(hit -> Crib.key(hit.tool())).toList();
    }
  }

  @Override
  public void changeRights(int round) {
    now = rights[round % 2];
  }

  @Override
  public void changeTool(Tool tool) {
    List<Tool> source = new ArrayList<>(bySource.get(tool.source()));
    source.replaceAll(old -> old.name().equals(tool.name()) ? tool : old);
    registry.put(Crib.source(tool.source(), source));
  }

  @Override
  public void replaceSource(List<Tool> tools) {
    registry.put(Crib.source(tools.get(0).source(), tools));
  }

  @Override
  public void close() {
    sessions.forEach(ToolSession::close);
    registry.close();
  }
}
