package dev.toolcrib.benchmarks.turn;

import dev.toolcrib.benchmarks.data.Json;
import dev.toolcrib.benchmarks.harness.Profile;
import dev.toolcrib.benchmarks.harness.Results;
import dev.toolcrib.benchmarks.harness.Rounds;
import dev.toolcrib.benchmarks.harness.Workload;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A whole turn in the process of the service, and through its endpoints. */
public final class TurnWorkload implements Workload {

  @Override
  public String name() {
    return "turn";
  }

  @Override
  public void run(Profile profile, Results results) throws Exception {
    for (String catalogue : profile.catalogues()) {
      for (int tools : profile.sizes()) {
        check(TurnFixture.of(new TurnFixture.Case(catalogue, tools)));
        new Rounds(profile, results)
            .run(
                name(),
                TurnBenchmark.class,
                Map.of("catalogue", catalogue, "tools", Integer.toString(tools)),
                "toolcrib",
                "http");
      }
    }
    TurnFixture.free();
  }

  /** Both declare as many tools, call the same one and write the same into the history. */
  private static void check(TurnFixture fixture) {
    int executed = 0;
    for (String question : fixture.questions) {
      // The second time, when what it finds is active in both.
      fixture.inProcess(question);
      fixture.overHttp(question);
      TurnFixture.Turn here = fixture.inProcess(question);
      TurnFixture.Turn there = fixture.overHttp(question);
      Workload.require(
          here.declared() == there.declared() && here.called().equals(there.called()),
          () -> here + " and " + there);
      if (!here.called().isEmpty()) {
        JsonNode item = Json.MAPPER.readTree(here.item());
        Workload.require(
            item.equals(Json.MAPPER.readTree(there.item())), () -> here + " and " + there);
        executed += item.path("content").asString("").equals("done") ? 1 : 0;
      }
    }
    int done = executed;
    Workload.require(
        2 * done >= fixture.questions.size(), () -> "only %d calls were executed".formatted(done));
  }
}
