package dev.toolcrib.benchmarks.search;

import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.benchmarks.data.Catalogue;
import dev.toolcrib.benchmarks.data.Crib;
import dev.toolcrib.benchmarks.data.Latest;
import dev.toolcrib.benchmarks.data.Rights;
import dev.toolcrib.benchmarks.data.Tool;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All engines over the same tools, for callers with different rights. */
final class SearchFixture implements AutoCloseable {

  record Case(String catalogue, int tools) {}

  private static final Latest<Case, SearchFixture> LATEST = new Latest<>(SearchFixture::new);

  private final List<Tool> all;
  private final TunedLucene lucene;
  private final ToolRegistry registry;
  private final Map<String, Map<String, SearchEngine>> engines = new HashMap<>();

  private SearchFixture(Case of) {
    all = Catalogue.tools(of.catalogue(), of.tools());
    lucene = new TunedLucene(all);
    registry = Crib.registry(all, caller -> ToolSelection.none(), builder -> builder);
  }

  static SearchFixture of(Case wanted) {
    return LATEST.of(wanted);
  }

  static void free() {
    LATEST.close();
  }

  /**
   * The engines by name, ours first, as a caller meets them.
   *
   * @param rights a name of {@link Rights}
   */
  Map<String, SearchEngine> engines(String rights) {
    return engines.computeIfAbsent(rights, name -> make(Rights.named(name)));
  }

  /** The tools that the caller may use. */
  List<Tool> own(String rights) {
    return Rights.named(rights).of(all);
  }

  private Map<String, SearchEngine> make(Rights rights) {
    List<Tool> own = rights.of(all);
    Map<String, SearchEngine> made = new LinkedHashMap<>();
    made.put("toolcrib", new ToolcribSearch(registry, rights));
    made.put("tunedLucene", lucene.as(rights));
    made.put("springAiIndex", new SessionLuceneIndex("session", own));
    made.put("langChain4jSimple", new SimpleStrategySearch(own));
    made.put("scan", new ScanSearch(own));
    return made;
  }

  @Override
  public void close() {
    engines.values().forEach(made -> made.values().forEach(SearchEngine::close));
    registry.close();
    lucene.close();
  }
}
