package dev.toolcrib.benchmarks.session;

import dev.toolcrib.SearchHit;
import dev.toolcrib.ToolSession;
import dev.toolcrib.benchmarks.data.Crib;
import dev.toolcrib.benchmarks.data.Rights;
import dev.toolcrib.benchmarks.harness.Profile;
import dev.toolcrib.benchmarks.harness.Results;
import dev.toolcrib.benchmarks.harness.Rounds;
import dev.toolcrib.benchmarks.harness.Workload;
import dev.toolcrib.benchmarks.search.DomainRights;
import dev.toolcrib.benchmarks.search.SessionLuceneIndex;
import dev.toolcrib.benchmarks.search.TunedLucene;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What it takes to open a session, and to keep it. */
public final class SessionWorkload implements Workload {

  private static final String[] WAYS = {
    "toolcribKnown",
    "toolcribKnownReady",
    "toolcribNewReady",
    "luceneKnownReady",
    "luceneNewReady",
    "springAiIndexReady",
  };

  @Override
  public String name() {
    return "session";
  }

  @Override
  public void run(Profile profile, Results results) throws Exception {
    for (String catalogue : profile.catalogues()) {
      for (int tools : profile.sizes()) {
        check(SessionFixture.of(new SessionFixture.Case(catalogue, tools)));
        Map<String, String> params =
            Map.of("catalogue", catalogue, "tools", Integer.toString(tools));
        new Rounds(profile, results).run(name(), SessionBenchmark.class, params, WAYS);
      }
      SessionFixture.free();
      SessionMemory.measure(name(), catalogue, profile, results);
    }
  }

  /** Every way gives the caller tools of the caller's own domains and no other. */
  private static void check(SessionFixture fixture) {
    for (Rights rights : List.of(Rights.half(0), fixture.newRights(), Rights.half(0xFFFF))) {
      DomainRights bits = new DomainRights(rights.domains());
      try (ToolSession session = fixture.open(rights);
          SessionLuceneIndex index = fixture.index(rights)) {
        for (String question : fixture.questions) {
          for (SearchHit hit : session.search(question).hits()) {
            own(rights.domains(), fixture, Crib.key(hit.tool()));
          }
          for (TunedLucene.Hit hit : fixture.lucene.search(question, bits, 5)) {
            own(rights.domains(), fixture, hit.key());
          }
          index.find(question, 5).forEach(key -> own(rights.domains(), fixture, key));
        }
      }
    }
  }

  private static void own(Set<String> domains, SessionFixture fixture, String key) {
    Workload.require(domains.contains(fixture.domain(key)), () -> key + " is not the caller's");
  }
}
