package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Input of every bad kind gives the documented error, and everything goes on. */
class BadInputTest {

  private final ToolRegistry registry =
      ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build();

  @AfterEach
  void everything_goes_on() {
    PublishReport report =
        registry.put(Tools.orders(ToolExecutor.blocking(call -> ToolResult.text("done"))));
    assertThat(report.published()).isEqualTo(1);
    try (ToolSession session = registry.session(Tools.ANN).open()) {
      assertThat(session.call(Tools.getOrder()).join().text()).isEqualTo("done");
    }
    registry.close();
  }

  @Test
  void a_caller_needs_a_tenant_and_a_user() {
    assertThatThrownBy(() -> Caller.of("", "ann")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Caller.of("acme", " ")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @SuppressWarnings("NullAway")
  void null_is_refused_where_it_comes_in() {
    assertThatThrownBy(() -> registry.put(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> registry.session(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> CallRequest.of(null, "{}")).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> ToolDefinition.named(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> ToolResult.text(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> SearchRequest.of(null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void any_text_was_taken_for_the_cursor_of_a_page() {
    registry.put(Tools.orders(ToolExecutor.blocking(call -> ToolResult.text("done"))));
    assertThat(registry.list(Tools.ANN, "get_order", 1).tools()).isEmpty();
    for (String cursor : List.of("", "get order", "x".repeat(65), "订单", "a\0")) {
      assertThatThrownBy(() -> registry.list(Tools.ANN, cursor, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("cursor");
    }
  }

  @Test
  void a_bad_tool_is_quarantined_and_the_others_are_published() {
    String deep = "{\"not\":".repeat(5_000) + "{}" + "}".repeat(5_000);
    PublishReport report =
        registry.put(
            ToolSource.named("mixed")
                .naming(Naming.PLAIN)
                .tool(Tools.tool("good").build())
                .tool(Tools.tool("deep").inputSchema(deep).build())
                .tool(Tools.tool("long").description("x".repeat(10 << 20)).build())
                .tool(Tools.tool("broken").inputSchema("{\"type\":").build())
                .tool(Tools.tool("").build())
                .tool(Tools.tool("good").build())
                .tool(Tools.tool("also_good").build())
                .build());
    Map<String, String> codes = new HashMap<>();
    report.quarantined().forEach(q -> codes.put(q.tool(), q.code()));
    assertThat(report.published()).isEqualTo(2);
    assertThat(codes)
        .containsEntry("deep", "limit_exceeded")
        .containsEntry("long", "limit_exceeded")
        .containsEntry("broken", "invalid_json")
        .containsEntry("good", "duplicate_name")
        .hasSize(5);
    assertThat(registry.info().quarantined()).isEqualTo(5);
    assertThat(report.quarantined()).allMatch(q -> q.reason().length() < 1_000);
  }

  @Test
  void a_source_that_cannot_be_taken_changes_nothing() {
    long before = registry.info().version();
    assertThatThrownBy(() -> registry.put(ToolSource.named(" ").build()))
        .isInstanceOf(IllegalArgumentException.class);
    assertCode("limit_exceeded", () -> registry.put(ToolSource.named("x".repeat(1_000)).build()));
    assertCode("invalid_json", () -> registry.put(ToolSource.named("a").toolsList("{").build()));
    assertThatThrownBy(
            () -> registry.put(ToolSource.named("a").toolsList(new byte[] {'[', -1, ']'}).build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("UTF-8");
    assertThat(registry.info().version()).isEqualTo(before);
  }

  @Test
  void half_a_surrogate_pair_is_an_illegal_argument_where_the_service_names_things() {
    String half = "half \uD83D";
    assertIllegal(() -> registry.put(ToolSource.named(half).build()));
    assertIllegal(() -> registry.put(ToolSource.named("a").description(half).build()));
    assertIllegal(() -> registry.put(ToolSource.named("a").toolsList(half).build()));
    assertIllegal(() -> registry.put(ToolSource.named("a").tool(Tools.tool(half).build()).build()));
    assertIllegal(() -> registry.remove(half));
    assertIllegal(() -> registry.list(Tools.ANN, half, 1));
    try (ToolSession session = registry.session(Tools.ANN).open()) {
      assertIllegal(() -> session.activate(Set.of(half), null));
      assertIllegal(() -> session.rewindTo(half));
      assertIllegal(() -> session.checkpoint(half));
    }
  }

  @Test
  void half_an_emoji_of_a_model_or_a_tool_threw_or_lost_a_result() {
    String half = "half \uD83D";
    ToolExecutor answers = ToolExecutor.blocking(call -> ToolResult.text(half));
    registry.put(Tools.orders(answers));
    try (ToolSession session = registry.session(Tools.ANN).open()) {
      assertThat(session.search("order " + half).hits()).isNotEmpty();
      assertThat(session.call(CallRequest.of(half, "{}")).join())
          .isInstanceOf(CallResult.NotFound.class);
      assertThat(session.call(CallRequest.of("get_order", half)).join())
          .isInstanceOf(CallResult.InvalidArguments.class);
      assertThat(session.call(Tools.getOrder()).join().text()).isEqualTo("half \uFFFD");
      String answer =
          """
          [{"type":"text","text":"%s"},
           {"type":"tool_use","id":"1","name":"get_order","input":{"order":"SO-1"}}]
          """;
      Endpoint endpoint = Endpoint.of(Target.ANTHROPIC_MESSAGES);
      for (String written : List.of(half, "half \\ud83d")) {
        assertThat(session.decodeCalls(endpoint, answer.formatted(written)))
            .extracting(ModelCall::name)
            .containsExactly("get_order");
      }
    }
  }

  @Test
  void limits_and_sizes_are_positive() {
    for (int limit : new int[] {0, -1, Integer.MIN_VALUE, (int) Double.NaN}) {
      assertIllegal(() -> SearchRequest.of("a").withLimit(limit));
      assertIllegal(() -> registry.list(Tools.ANN, null, limit));
    }
    assertIllegal(() -> ToolRegistry.builder().limit(Limit.MAX_TOOLS, -1));
    assertIllegal(() -> ToolRegistry.builder().callTimeout(java.time.Duration.ZERO));
    try (ToolSession session = registry.session(Tools.ANN).open()) {
      assertThat(session.search(SearchRequest.of("order").withLimit(Integer.MAX_VALUE)).hits())
          .hasSizeLessThanOrEqualTo(20);
    }
  }

  @Test
  void what_a_model_can_get_wrong_is_a_result() {
    registry.put(Tools.orders(ToolExecutor.blocking(call -> ToolResult.text("done"))));
    try (ToolSession session = registry.session(Tools.ANN).open()) {
      for (String arguments :
          List.of(
              "",
              "{",
              "[]",
              "null",
              "3",
              "{\"order\":1}",
              "{\"order\":NaN}",
              "{} {}",
              "[".repeat(100_000),
              "{\"order\":\"" + "x".repeat(2 << 20) + "\"}")) {
        CallResult result = session.call(CallRequest.of("get_order", arguments)).join();
        assertThat(result).isInstanceOf(CallResult.InvalidArguments.class);
        assertThat(((CallResult.InvalidArguments) result).problems()).isNotEmpty();
        assertThat(result.text()).hasSizeLessThan(2_000);
      }
      for (String name : List.of("", "none", "x".repeat(1 << 20), "\u0000", "查询")) {
        assertThat(session.call(CallRequest.of(name, "{}")).join())
            .isInstanceOf(CallResult.NotFound.class);
      }
      // Something to be found, so that there is a search.
      ToolDefinition more = Tools.tool("more").exposure(Exposure.DEFERRED).build();
      registry.put(ToolSource.named("more").tool(more).build());
      for (String arguments : List.of("{}", "{\"query\":1}", "{\"query\":")) {
        assertThat(session.call(CallRequest.of("tool_search", arguments)).join().isError())
            .isTrue();
      }
      assertThat(
              session
                  .call(CallRequest.of("tool_search", "{\"query\":\"order\",\"limit\":-1e300}"))
                  .join())
          .isInstanceOf(CallResult.Searched.class);
    }
  }

  @Test
  void a_snapshot_is_not_taken_on_trust() {
    registry.put(Tools.orders(ToolExecutor.blocking(call -> ToolResult.text("done"))));
    byte[] snapshot;
    try (ToolSession session = registry.session(Tools.ANN).open()) {
      session.checkpoint("turn-1");
      snapshot = session.snapshot();
    }
    Random random = new Random(3);
    int refused = 0;
    for (int round = 0; round < 3_000; round++) {
      byte[] broken = java.util.Arrays.copyOf(snapshot, random.nextInt(snapshot.length + 2));
      if (broken.length > 0 && random.nextBoolean()) {
        broken[random.nextInt(broken.length)] = (byte) random.nextInt();
      }
      try (ToolSession session = registry.session(Tools.ANN).restore(broken)) {
        session.state();
      } catch (ToolcribException e) {
        assertThat(e.code()).isIn("invalid_snapshot", "limit_exceeded");
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(1_000);
    assertCode("limit_exceeded", () -> registry.session(Tools.ANN).restore(new byte[5 << 20]));
  }

  @Test
  void a_selection_has_limits() {
    ToolSelection deep = ToolSelection.tags("a");
    for (int depth = 1; depth < ToolSelection.MAX_DEPTH; depth++) {
      deep = depth % 2 == 0 ? deep.or(ToolSelection.tags("b")) : deep.and(ToolSelection.tags("c"));
    }
    ToolSelection deepest = deep;
    registry.session(Tools.ANN).authorizer(caller -> deepest).open().close();
    assertIllegal(() -> deepest.and(ToolSelection.tags("d")).or(ToolSelection.tags("e")));

    List<String> many = new ArrayList<>();
    for (int i = 0; i < 1_000_001; i++) {
      many.add("tool_" + i);
    }
    ToolSelection large = ToolSelection.names(many);
    assertCode("limit_exceeded", () -> registry.session(Tools.ANN).authorizer(c -> large).open());
  }

  @Test
  void what_is_closed_says_so() {
    ToolSession session = registry.session(Tools.ANN).open();
    session.close();
    session.close();
    assertThatThrownBy(session::state)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("this tool session is closed");
    assertThatThrownBy(() -> session.search("a")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(session::fork).isInstanceOf(IllegalStateException.class);

    ToolRegistry closed = ToolRegistry.builder().build();
    ToolSession orphan = closed.session(Tools.ANN).open();
    closed.close();
    closed.close();
    assertThatThrownBy(closed::info)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("this tool registry is closed");
    assertThatThrownBy(orphan::state).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> closed.session(Tools.ANN).open())
        .isInstanceOf(IllegalStateException.class);
    orphan.close();
  }

  @Test
  void a_handle_that_never_was_is_a_closed_one() {
    for (long handle : new long[] {0, -1, 1, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 61}) {
      assertThatThrownBy(() -> NativeBridge.registryInfo(handle))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> NativeBridge.sessionState(handle))
          .isInstanceOf(IllegalStateException.class);
      NativeBridge.registryClose(handle);
      NativeBridge.sessionClose(handle);
    }
  }

  private static void assertIllegal(org.assertj.core.api.ThrowableAssert.ThrowingCallable code) {
    assertThatThrownBy(code).isInstanceOf(IllegalArgumentException.class);
  }

  private static void assertCode(
      String code, org.assertj.core.api.ThrowableAssert.ThrowingCallable action) {
    assertThatThrownBy(action)
        .isInstanceOfSatisfying(ToolcribException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
