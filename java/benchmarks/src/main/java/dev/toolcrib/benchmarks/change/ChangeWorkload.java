package dev.toolcrib.benchmarks.change;

import dev.toolcrib.benchmarks.data.Catalogue;
import dev.toolcrib.benchmarks.data.Rights;
import dev.toolcrib.benchmarks.data.Tool;
import dev.toolcrib.benchmarks.harness.Profile;
import dev.toolcrib.benchmarks.harness.Results;
import dev.toolcrib.benchmarks.harness.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** How searchers fare while rights, one tool or a source of 500 tools change. */
public final class ChangeWorkload implements Workload {

  /** Begins words that stand in no tool. */
  private static final String MARK = "zzqx";

  private static final int SOURCE_TOOLS = 500;
  private static final List<Integer> THREADS = List.of(1, 8);

  private static final Map<String, Function<List<Tool>, Searched>> ENGINES = engines();

  @Override
  public String name() {
    return "change";
  }

  @Override
  public void run(Profile profile, Results results) throws Exception {
    String catalogue = profile.catalogues().get(0);
    List<Tool> source = source(Catalogue.tools("synthetic", SOURCE_TOOLS), "");
    List<Tool> changedSource = source(source, " " + MARK + "b");
    List<Tool> tools = new ArrayList<>(Catalogue.tools(catalogue, profile.middle()));
    Tool first = inBothRights(tools);
    Tool changedFirst = described(first, first.source(), first.description() + " " + MARK + "a");
    tools.addAll(source);
    List<String> questions =
        Stream.of("en", "zh").flatMap(l -> Catalogue.questions(catalogue, l).stream()).toList();

    Map<String, Change> changes = new LinkedHashMap<>();
    changes.put("nothing", (searched, round) -> {});
    changes.put("rights", Searched::changeRights);
    changes.put("oneTool", (s, round) -> s.changeTool(round % 2 == 0 ? changedFirst : first));
    changes.put(
        "sourceOf500", (s, round) -> s.replaceSource(round % 2 == 0 ? changedSource : source));
    for (var engine : ENGINES.entrySet()) {
      try (Searched searched = engine.getValue().apply(tools)) {
        check(searched, changedFirst, changedSource);
      }
    }
    for (int threads : THREADS) {
      for (var change : changes.entrySet()) {
        // One engine after the other for each change, so that all meet the same moments.
        for (var engine : ENGINES.entrySet()) {
          try (Searched searched = engine.getValue().apply(tools)) {
            Load load = new Load(searched, questions, threads, change.getValue());
            load.run(profile.warmupMillis());
            results.figures(
                name(),
                engine.getKey(),
                Map.of(
                    "catalogue", catalogue,
                    "tools", Integer.toString(profile.middle()),
                    "threads", Integer.toString(threads),
                    "change", change.getKey()),
                load.run(profile.loadMillis()));
          }
        }
      }
    }
  }

  /** Each change is seen by the next search, and rights that are gone take their tools along. */
  private static void check(Searched searched, Tool changed, List<Tool> changedSource) {
    Workload.require(searched.find(MARK + "a").isEmpty(), () -> "found before it is there");
    searched.changeTool(changed);
    Workload.require(
        searched.find(MARK + "a").equals(List.of(changed.key())), () -> "not found: " + changed);
    boolean own = Rights.half(0).domains().contains(changedSource.get(0).domain());
    searched.replaceSource(changedSource);
    Workload.require(
        searched.find(MARK + "b").isEmpty() != own, () -> "the replaced source is not found");
    searched.changeRights(1);
    Workload.require(
        searched.find(MARK + "a").equals(List.of(changed.key())), () -> "not found: " + changed);
  }

  private static Tool inBothRights(List<Tool> tools) {
    return tools.stream()
        .filter(tool -> Rights.half(0).domains().contains(tool.domain()))
        .filter(tool -> Rights.half(1).domains().contains(tool.domain()))
        .findFirst()
        .orElseThrow();
  }

  /** Changes something for the n-th time. */
  interface Change {
    void make(Searched searched, int round);
  }

  private static Map<String, Function<List<Tool>, Searched>> engines() {
    Map<String, Function<List<Tool>, Searched>> engines = new LinkedHashMap<>();
    engines.put("toolcrib", SearchedToolcrib::new);
    engines.put("tunedLucene", SearchedLucene::new);
    engines.put("springAiIndex", SearchedSpringAi::new);
    return engines;
  }

  private static List<Tool> source(List<Tool> tools, String suffix) {
    return tools.stream()
        .map(tool -> described(tool, "source-of-500", tool.description() + suffix))
        .toList();
  }

  private static Tool described(Tool tool, String source, String description) {
    return new Tool(
        source, tool.category(), tool.name(), description, tool.inputSchema(), tool.parameters());
  }
}
