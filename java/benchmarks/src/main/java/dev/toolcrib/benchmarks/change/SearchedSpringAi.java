package dev.toolcrib.benchmarks.change;

import dev.toolcrib.benchmarks.data.Rights;
import dev.toolcrib.benchmarks.data.Tool;
import dev.toolcrib.benchmarks.search.SearchEngine;
import dev.toolcrib.benchmarks.search.SessionLuceneIndex;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * An index for each session, thrown away and built again when the caller's tools are others than
 * before, as Spring AI's advisor does at the next request.
 */
final class SearchedSpringAi implements Searched {

  private record State(Map<String, Tool> tools, Rights rights, long version) {}

  private final ConcurrentLinkedQueue<Runnable> closing = new ConcurrentLinkedQueue<>();
  private volatile State now;

  SearchedSpringAi(List<Tool> tools) {
    Map<String, Tool> byKey = new LinkedHashMap<>();
    tools.forEach(tool -> byKey.put(tool.key(), tool));
    now = new State(byKey, Rights.half(0), 0);
  }

  @Override
  public Consumer<String> searcher() {
    var searcher =
        new Consumer<String>() {
          private SessionLuceneIndex index;
          private long version = -1;

          @Override
          public void accept(String question) {
            State state = now;
            if (version != state.version) {
              close();
              index = build(state);
              version = state.version;
            }
            index.search(question);
          }

          private void close() {
            if (index != null) {
              index.close();
            }
          }
        };
    closing.add(searcher::close);
    return searcher;
  }

  @Override
  public List<String> find(String question) {
    try (SessionLuceneIndex index = build(now)) {
      return index.find(question, SearchEngine.HITS);
    }
  }

  private static SessionLuceneIndex build(State state) {
    return new SessionLuceneIndex("session", state.rights.of(List.copyOf(state.tools.values())));
  }

  @Override
  public void changeRights(int round) {
    State state = now;
    now = new State(state.tools, Rights.half(round % 2), state.version + 1);
  }

  @Override
  public void changeTool(Tool tool) {
    replaceSource(List.of(tool));
  }

  @Override
  public void replaceSource(List<Tool> tools) {
    State state = now;
    Map<String, Tool> changed = new LinkedHashMap<>(state.tools);
    tools.forEach(tool -> changed.put(tool.key(), tool));
    now = new State(changed, state.rights, state.version + 1);
  }

  @Override
  public void close() {
    closing.forEach(Runnable::run);
  }
}
