package dev.toolcrib.benchmarks.search;

import dev.toolcrib.benchmarks.data.Catalogue;
import dev.toolcrib.benchmarks.data.Crib;
import dev.toolcrib.benchmarks.data.Latest;
import dev.toolcrib.benchmarks.data.Tool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** All engines over the same tools. */
final class SearchFixture implements AutoCloseable {

  /**
   * A case.
   *
   * @param catalogue kind of tools
   * @param tools how many there are
   * @param rights {@code all}, or {@code tenth}: every tenth source is the caller's
   */
  record Case(String catalogue, int tools, String rights) {}

  private static final Latest<Case, SearchFixture> LATEST = new Latest<>(SearchFixture::new);

  private final List<Tool> all;
  private final List<Tool> own;
  private final Set<String> sources;
  private final TunedLucene lucene;
  private final Map<String, SearchEngine> engines = new LinkedHashMap<>();

  private SearchFixture(Case of) {
    all = Catalogue.tools(of.catalogue(), of.tools());
    sources = of.rights().equals("all") ? null : everyTenthSource(all);
    own = sources == null ? all : all.stream().filter(t -> sources.contains(t.source())).toList();
    lucene = new TunedLucene(all);
    engines.put("toolcrib", new ToolcribSearch(all, sources));
    engines.put("tunedLucene", lucene.as(sources == null ? null : TunedLucene.rights(sources)));
    engines.put("springAiIndex", new SessionLuceneIndex("session", own));
    engines.put("langChain4jSimple", new SimpleStrategySearch(own));
    engines.put("scan", new ScanSearch(own));
  }

  static SearchFixture of(Case wanted) {
    return LATEST.of(wanted);
  }

  static void free() {
    LATEST.close();
  }

  /** The engines by name, ours first. */
  Map<String, SearchEngine> engines() {
    return engines;
  }

  /** The tools that the caller may use. */
  List<Tool> own() {
    return own;
  }

  private static Set<String> everyTenthSource(List<Tool> tools) {
    List<String> names = new ArrayList<>(Crib.bySource(tools).keySet());
    return names.stream()
        .filter(name -> names.indexOf(name) % 10 == 0)
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public void close() {
    engines.values().forEach(SearchEngine::close);
    lucene.close();
  }
}
