package dev.toolcrib.benchmarks.search;

import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.benchmarks.data.Catalogue;
import dev.toolcrib.benchmarks.data.Crib;
import dev.toolcrib.benchmarks.data.RetrievalSet;
import dev.toolcrib.benchmarks.data.Rights;
import dev.toolcrib.benchmarks.data.SharedData;
import dev.toolcrib.benchmarks.data.Tool;
import dev.toolcrib.benchmarks.harness.Profile;
import dev.toolcrib.benchmarks.harness.Results;
import dev.toolcrib.benchmarks.harness.Rounds;
import dev.toolcrib.benchmarks.harness.Workload;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Time, bytes and quality of search. */
public final class SearchWorkload implements Workload {

  private static final String[] ENGINES = {
    "toolcrib", "tunedLucene", "springAiIndex", "langChain4jSimple", "scan"
  };

  /** Tools that are looked for by their own name and description. */
  private static final int KNOWN = 20;

  @Override
  public String name() {
    return "search";
  }

  @Override
  public void run(Profile profile, Results results) throws Exception {
    for (String catalogue : profile.catalogues()) {
      for (int tools : profile.sizes()) {
        SearchFixture fixture = SearchFixture.of(new SearchFixture.Case(catalogue, tools));
        for (String rights : List.of("all", "tenth")) {
          check(fixture, catalogue, rights);
          for (String language : List.of("en", "zh")) {
            Map<String, String> params =
                Map.of(
                    "catalogue", catalogue,
                    "tools", Integer.toString(tools),
                    "language", language,
                    "rights", rights);
            new Rounds(profile, results).run(name(), SearchBenchmark.class, params, ENGINES);
          }
        }
      }
    }
    SearchFixture.free();
    if (profile.questions() > 0) {
      for (RetrievalSet set : SharedData.find().map(SharedData::sets).orElse(List.of())) {
        quality(set, profile.questions(), results);
      }
    }
  }

  /**
   * All of them look for tools among the caller's: each answers with at most as many as asked for,
   * with none that is not the caller's, and finds most tools by their own words.
   */
  private static void check(SearchFixture fixture, String catalogue, String rights) {
    Set<String> own = fixture.own(rights).stream().map(Tool::key).collect(Collectors.toSet());
    List<Tool> known = SharedData.spread(fixture.own(rights), KNOWN);
    fixture
        .engines(rights)
        .forEach(
            (name, engine) -> {
              for (String language : List.of("en", "zh")) {
                for (String question : Catalogue.questions(catalogue, language)) {
                  List<String> found = engine.find(question, SearchEngine.HITS);
                  Workload.require(
                      found.size() <= SearchEngine.HITS && own.containsAll(found),
                      () -> name + " found " + found);
                }
              }
              long hits =
                  known.stream()
                      .filter(
                          tool ->
                              engine
                                  .find(tool.name() + ' ' + tool.description(), 10)
                                  .contains(tool.key()))
                      .count();
              Workload.require(
                  2 * hits >= known.size(),
                  () ->
                      "%s finds only %d of %d tools by their own words"
                          .formatted(name, hits, known.size()));
            });
  }

  private void quality(RetrievalSet set, int count, Results results) {
    List<Tool> tools = set.tools();
    try (TunedLucene lucene = new TunedLucene(tools);
        ToolRegistry registry =
            Crib.registry(tools, caller -> ToolSelection.none(), builder -> builder);
        SearchEngine toolcrib = new ToolcribSearch(registry, Rights.ALL);
        SearchEngine springAi = new SessionLuceneIndex("session", tools)) {
      Map<String, SearchEngine> engines =
          Map.of(
              "toolcrib",
              toolcrib,
              "tunedLucene",
              lucene.as(Rights.ALL),
              "springAiIndex",
              springAi,
              "langChain4jSimple",
              new SimpleStrategySearch(tools),
              "scan",
              new ScanSearch(tools));
      List<RetrievalSet.Question> questions = SharedData.spread(set.questions(), count);
      for (String name : ENGINES) {
        double mean =
            questions.stream()
                .mapToDouble(
                    question ->
                        Gain.normalized(
                            engines.get(name).find(question.text(), Gain.CUT), question.gold()))
                .average()
                .orElseThrow();
        results.figures(
            name(),
            name,
            Map.of("set", set.name(), "language", set.isChinese() ? "zh" : "en"),
            Map.of("ndcg10", mean, "questions", questions.size(), "tools", tools.size()));
      }
    }
  }
}
