package dev.toolcrib.benchmarks.search;

import dev.toolcrib.benchmarks.data.Catalogue;
import dev.toolcrib.benchmarks.data.Latest;
import dev.toolcrib.benchmarks.data.Rights;
import dev.toolcrib.benchmarks.data.Tool;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All engines over the same tools. */
final class SearchFixture implements AutoCloseable {

  /**
   * A case.
   *
   * @param catalogue kind of tools
   * @param tools how many there are
   * @param rights a name of {@link Rights}
   */
  record Case(String catalogue, int tools, String rights) {}

  private static final Latest<Case, SearchFixture> LATEST = new Latest<>(SearchFixture::new);

  private final List<Tool> own;
  private final TunedLucene lucene;
  private final Map<String, SearchEngine> engines = new LinkedHashMap<>();

  private SearchFixture(Case of) {
    List<Tool> all = Catalogue.tools(of.catalogue(), of.tools());
    Rights rights = Rights.named(of.rights());
    own = rights.of(all);
    lucene = new TunedLucene(all);
    engines.put("toolcrib", new ToolcribSearch(all, rights));
    engines.put("tunedLucene", lucene.as(rights));
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

  @Override
  public void close() {
    engines.values().forEach(SearchEngine::close);
    lucene.close();
  }
}
