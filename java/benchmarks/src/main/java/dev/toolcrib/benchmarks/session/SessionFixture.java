package dev.toolcrib.benchmarks.session;

import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSession;
import dev.toolcrib.benchmarks.data.Catalogue;
import dev.toolcrib.benchmarks.data.Crib;
import dev.toolcrib.benchmarks.data.Latest;
import dev.toolcrib.benchmarks.data.Rights;
import dev.toolcrib.benchmarks.data.Tool;
import dev.toolcrib.benchmarks.search.SessionLuceneIndex;
import dev.toolcrib.benchmarks.search.TunedLucene;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** One registry and one index for all callers, and the tools of one caller who may use half. */
final class SessionFixture implements AutoCloseable {

  record Case(String catalogue, int tools) {}

  private static final Latest<Case, SessionFixture> LATEST = new Latest<>(SessionFixture::new);

  final ToolRegistry registry;
  final TunedLucene lucene;
  final List<String> questions;
  private final List<Tool> all;
  private final Map<String, String> domains;
  private long numberOfRights;

  private SessionFixture(Case of) {
    all = Catalogue.tools(of.catalogue(), of.tools());
    questions = Catalogue.questions(of.catalogue(), "en");
    registry = Crib.registry(all, caller -> Rights.ALL.selection(), builder -> builder);
    lucene = new TunedLucene(all);
    domains =
        all.stream().collect(Collectors.toMap(Tool::key, Tool::domain, (first, second) -> first));
  }

  static SessionFixture of(Case wanted) {
    return LATEST.of(wanted);
  }

  static void free() {
    LATEST.close();
  }

  /** Rights that nobody had before. */
  Rights newRights() {
    return Rights.half(++numberOfRights);
  }

  /** A session of a caller with these rights. */
  ToolSession open(Rights rights) {
    // The selection is made once, as a service keeps that of a role.
    var selection = rights.selection();
    return registry.session(Crib.CALLER).authorizer(caller -> selection).open();
  }

  /** An index of its own for a session of a caller with these rights. */
  SessionLuceneIndex index(Rights rights) {
    return new SessionLuceneIndex("session", rights.of(all));
  }

  /** The domain of a tool. */
  String domain(String key) {
    return domains.get(key);
  }

  @Override
  public void close() {
    registry.close();
    lucene.close();
  }
}
