package dev.toolcrib.benchmarks.change;

import dev.toolcrib.benchmarks.data.Rights;
import dev.toolcrib.benchmarks.data.Tool;
import dev.toolcrib.benchmarks.search.DomainRights;
import dev.toolcrib.benchmarks.search.SearchEngine;
import dev.toolcrib.benchmarks.search.TunedLucene;
import java.util.List;
import java.util.function.Consumer;

/** One index for all callers; changed rights are a new bit set, changed tools a new segment. */
final class SearchedLucene implements Searched {

  private final TunedLucene index;
  private volatile DomainRights now = new DomainRights(Rights.half(0).domains());

  SearchedLucene(List<Tool> tools) {
    index = new TunedLucene(tools);
  }

  @Override
  public Consumer<String> searcher() {
    return question -> index.search(question, now, SearchEngine.HITS);
  }

  @Override
  public List<String> find(String question) {
    return index.search(question, now, SearchEngine.HITS).stream()
        .map(TunedLucene.Hit::key)
        .toList();
  }

  @Override
  public void changeRights(int round) {
    now = new DomainRights(Rights.half(round % 2).domains());
  }

  @Override
  public void changeTool(Tool tool) {
    index.put(List.of(tool));
  }

  @Override
  public void replaceSource(List<Tool> tools) {
    index.replace(tools.get(0).source(), tools);
  }

  @Override
  public void close() {
    index.close();
  }
}
