package dev.toolcrib.benchmarks.session;

import dev.toolcrib.ToolSession;
import dev.toolcrib.benchmarks.data.Rights;
import dev.toolcrib.benchmarks.harness.Memory;
import dev.toolcrib.benchmarks.harness.Profile;
import dev.toolcrib.benchmarks.harness.Results;
import dev.toolcrib.benchmarks.search.DomainRights;
import dev.toolcrib.benchmarks.search.SearchEngine;
import dev.toolcrib.benchmarks.search.SessionLuceneIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Memory of many open sessions: of callers with 64 different sets of rights, each session after one
 * search.
 */
final class SessionMemory {

  private static final int SETS_OF_RIGHTS = 64;

  /** An index for each session is so large that so many tell enough. */
  private static final int MOST_INDEXES = 100;

  private SessionMemory() {}

  static void measure(String workload, String catalogue, Profile profile, Results results) {
    var wanted = new SessionFixture.Case(catalogue, profile.middle());
    SessionFixture fixture = SessionFixture.of(wanted);
    List<Rights> rights = new ArrayList<>();
    for (int i = 0; i < SETS_OF_RIGHTS; i++) {
      rights.add(Rights.half(i));
    }
    Map<String, String> params =
        Map.of("catalogue", catalogue, "tools", Integer.toString(profile.middle()));

    Keeper toolcrib =
        i -> {
          ToolSession session = fixture.open(rights.get(i % SETS_OF_RIGHTS));
          session.search(fixture.questions.get(i % fixture.questions.size()));
          return session;
        };
    Keeper lucene =
        i -> {
          DomainRights bits = new DomainRights(rights.get(i % SETS_OF_RIGHTS).domains());
          fixture.lucene.search(fixture.questions.get(0), bits, SearchEngine.HITS);
          return () -> bits.bytes();
        };
    Keeper springAi =
        i -> {
          SessionLuceneIndex index = fixture.index(rights.get(i % SETS_OF_RIGHTS));
          index.search(fixture.questions.get(i % fixture.questions.size()));
          return index;
        };
    int few = Math.min(MOST_INDEXES, profile.sessions());
    results.figures(workload, "toolcribMemory", params, keep(toolcrib, profile.sessions()));
    results.figures(workload, "luceneBitSetMemory", params, keep(lucene, profile.sessions()));
    results.figures(workload, "springAiIndexMemory", params, keep(springAi, few));
    SessionFixture.free();
  }

  private interface Keeper extends IntFunction<AutoCloseable> {}

  private static Map<String, Object> keep(Keeper keeper, int count) {
    // One of each kind first, which loads classes and fills what is shared.
    List<AutoCloseable> shared = new ArrayList<>();
    for (int i = 0; i < SETS_OF_RIGHTS; i++) {
      shared.add(keeper.apply(i));
    }
    Memory before = Memory.now();
    List<AutoCloseable> kept = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      kept.add(keeper.apply(i));
    }
    Memory growth = Memory.now().since(before);
    kept.forEach(SessionMemory::close);
    shared.forEach(SessionMemory::close);
    return Map.of(
        "sessions", count,
        "heapBytesPerSession", growth.heapBytes() / count,
        "residentBytesPerSession", growth.residentBytes() / count);
  }

  private static void close(AutoCloseable kept) {
    try {
      kept.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
