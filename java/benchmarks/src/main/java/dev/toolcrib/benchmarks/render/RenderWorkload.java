package dev.toolcrib.benchmarks.render;

import dev.toolcrib.Target;
import dev.toolcrib.benchmarks.data.Json;
import dev.toolcrib.benchmarks.harness.Profile;
import dev.toolcrib.benchmarks.harness.Results;
import dev.toolcrib.benchmarks.harness.Rounds;
import dev.toolcrib.benchmarks.harness.Workload;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Declarations for a request of an OpenAI chat model. */
public final class RenderWorkload implements Workload {

  private static final List<Integer> ACTIVE = List.of(5, 20, 100);

  /** Tools of Toolcrib itself that are always declared, at most: to search, to run scripts. */
  private static final int MOST_OWN = 2;

  @Override
  public String name() {
    return "render";
  }

  @Override
  public void run(Profile profile, Results results) throws Exception {
    for (String catalogue : profile.catalogues()) {
      for (int active : ACTIVE) {
        check(RenderFixture.of(new RenderFixture.Case(catalogue, active)), active);
        Map<String, String> params =
            Map.of("catalogue", catalogue, "active", Integer.toString(active));
        new Rounds(profile, results)
            .run(
                name(),
                RenderBenchmark.class,
                params,
                "toolcribUnchanged",
                "toolcribUnchangedCopied",
                "jacksonUnchanged",
                "toolcribOneMore",
                "jacksonOneMore");
      }
    }
    RenderFixture.free();
  }

  /** Both declare the same tools, in the same order, with the same parameters. */
  private static void check(RenderFixture fixture, int active) {
    JsonNode ours = Json.MAPPER.readTree(fixture.session.render(Target.OPENAI_CHAT).bytes());
    JsonNode theirs = Json.MAPPER.readTree(fixture.serialize(active));
    // Ours declares what Toolcrib itself offers as well, first.
    int own = ours.size() - theirs.size();
    Workload.require(
        own > 0 && own <= MOST_OWN, () -> ours.size() + " and " + theirs.size() + " tools");
    for (int i = 0; i < active; i++) {
      JsonNode our = ours.get(own + i).path("function");
      JsonNode their = theirs.get(i).path("function");
      Workload.require(our.path("name").equals(their.path("name")), () -> our + " and " + their);
      Workload.require(
          our.path("parameters")
              .path("properties")
              .propertyNames()
              .containsAll(their.path("parameters").path("properties").propertyNames()),
          () -> our + " and " + their);
    }
  }
}
