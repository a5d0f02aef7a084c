package dev.toolcrib.spring.boot;

import static dev.toolcrib.spring.boot.Crib.CLERK;
import static dev.toolcrib.spring.boot.Crib.MANAGER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.toolcrib.CallRequest;
import dev.toolcrib.CallResult;
import dev.toolcrib.Caller;
import dev.toolcrib.HandledCall;
import dev.toolcrib.SessionState.Standing;
import dev.toolcrib.ToolAuthorizer;
import dev.toolcrib.ToolExecutor;
import dev.toolcrib.ToolInfo;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolResult;
import dev.toolcrib.ToolSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ToolSessionsTest {

  private static final String FIND = "mcp__orders__find_order";
  private static final String REFUND = "mcp__orders__refund_order";
  private static final Duration IDLE = Duration.ofMinutes(30);
  private static final CallRequest FIND_ONE = CallRequest.of(FIND, "{\"order\":\"A-1\"}");

  private final CompletableFuture<ToolResult> answer = new CompletableFuture<>();
  private final ManualClock clock = new ManualClock();
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final ToolRegistry registry = registry(Crib.byRole(), call -> answer);
  private final ToolSessions sessions = keep(3, 3);

  @AfterEach
  void close() {
    answer.complete(ToolResult.text("late"));
    sessions.close();
    registry.close();
  }

  @Test
  void whatWasActivatedIsActiveInTheNextUseOfTheConversation() {
    activate(CLERK, "c1", FIND);
    assertThat(active(CLERK, "c1")).containsExactly(FIND);
  }

  @Test
  void anotherUserWhoKnowsTheIdHasAnotherConversation() {
    activate(CLERK, "c1", FIND);

    assertThat(active(Caller.of("acme", "eve").withRoles("clerk"), "c1")).isEmpty();
    assertThat(active(Caller.of("other", "ann").withRoles("clerk"), "c1")).isEmpty();
    assertThat(active(CLERK, "c1")).containsExactly(FIND);
  }

  @Test
  void tenantAndUserAreNotMixedUp() {
    activate(Caller.of("a", "b/c").withRoles("clerk"), "c1", FIND);
    assertThat(active(Caller.of("a/b", "c").withRoles("clerk"), "c1")).isEmpty();
  }

  @Test
  void aConversationGoesOnWithTheRolesThatItsCallerHasNow() {
    Caller promoted = CLERK.withRoles("manager");
    activate(promoted, "c1", FIND, REFUND);

    assertThat(active(CLERK, "c1")).containsExactly(FIND);
    try (ToolConversation conversation = sessions.open(CLERK, "c1")) {
      assertThat(conversation.call(CallRequest.of(REFUND, "{\"order\":\"A-1\"}")).join())
          .isInstanceOf(CallResult.NotFound.class);
      assertThat(conversation.session().state().tools(Standing.WITHHELD)).containsExactly(REFUND);
    }
    assertThat(active(promoted, "c1")).containsExactlyInAnyOrder(FIND, REFUND);
    assertThat(sessions.size()).isEqualTo(1);
  }

  @Test
  void anIdleConversationStartsAnew() {
    activate(CLERK, "c1", FIND);
    clock.advance(IDLE.minusNanos(1));
    assertThat(active(CLERK, "c1")).containsExactly(FIND);

    clock.advance(IDLE);
    assertThat(active(CLERK, "c1")).isEmpty();
    assertThat(events).containsExactly("activated", "evicted IDLE");
  }

  @Test
  void idleSessionsAreClosedWhenAnotherIsUsed() {
    ToolSession idle = session(CLERK, "c1");
    clock.advance(IDLE);
    activate(CLERK, "c2", FIND);

    assertThatIllegalStateException().isThrownBy(idle::state);
    assertThat(sessions.size()).isEqualTo(1);
  }

  @Test
  void aUserWhoOpensManyConversationsEndsNoneOfTheOthers() {
    try (ToolSessions few = keep(5, 2)) {
      Caller other = Caller.of("acme", "eve").withRoles("clerk");
      few.open(other, "c1").close();
      for (int i = 0; i < 10; i++) {
        few.open(CLERK, "many" + i).close();
      }

      assertThat(few.size()).isEqualTo(3);
      assertThat(few.end(other, "c1")).isTrue();
      assertThat(few.end(CLERK, "many9")).isTrue();
      assertThat(few.end(CLERK, "many8")).isTrue();
      assertThat(few.end(CLERK, "many7")).isFalse();
    }
  }

  @Test
  void theOneUsedLeastRecentlyMakesRoom() {
    for (String id : List.of("c1", "c2", "c3")) {
      activate(CLERK, id, FIND);
    }
    assertThat(active(CLERK, "c1")).containsExactly(FIND);
    activate(CLERK, "c4", FIND);

    assertThat(sessions.size()).isEqualTo(3);
    assertThat(active(CLERK, "c1")).containsExactly(FIND);
    assertThat(active(CLERK, "c4")).containsExactly(FIND);
    assertThat(events).contains("evicted CAPACITY");
    assertThat(active(CLERK, "c2")).isEmpty();
  }

  @Test
  void aCallInFlightKeepsItsConversation() {
    activate(CLERK, "c1", FIND);
    CompletableFuture<CallResult> call;
    try (ToolConversation conversation = sessions.open(CLERK, "c1")) {
      call = conversation.call(FIND_ONE);
    }
    clock.advance(IDLE.multipliedBy(2));
    for (int i = 0; i < 5; i++) {
      activate(CLERK, "other" + i, FIND);
    }
    answer.complete(ToolResult.text("sent on Monday"));

    assertThat(call.join().text()).isEqualTo("sent on Monday");
    assertThat(active(CLERK, "c1")).containsExactly(FIND);
  }

  @Test
  void endingAConversationClosesItOnceItsCallsAreDone() {
    activate(CLERK, "c1", FIND);
    ToolSession session;
    CompletableFuture<CallResult> call;
    try (ToolConversation conversation = sessions.open(CLERK, "c1")) {
      session = conversation.session();
      call = conversation.call(FIND_ONE);
    }
    assertThat(sessions.end(MANAGER, "c1")).isFalse();
    assertThat(sessions.end(CLERK, "c1")).isTrue();
    assertThat(session.state().tools(Standing.ACTIVE)).containsExactly(FIND);

    answer.complete(ToolResult.text("done"));
    assertThat(call.join().text()).isEqualTo("done");
    assertThatIllegalStateException().isThrownBy(session::state);
    assertThat(active(CLERK, "c1")).isEmpty();
  }

  @Test
  void anEphemeralConversationIsNotKept() {
    ToolSession session;
    try (ToolConversation conversation = sessions.openEphemeral(CLERK)) {
      session = conversation.session();
      assertThat(conversation.search("find order").addedToolNames()).contains(FIND);
    }
    assertThatIllegalStateException().isThrownBy(session::state);
    assertThat(sessions.size()).isZero();
  }

  @Test
  void aClosedConversationSaysSo() {
    ToolConversation conversation = sessions.open(CLERK, "c1");
    conversation.close();
    conversation.close();

    assertThatIllegalStateException().isThrownBy(() -> conversation.search("order"));
    assertThatIllegalStateException().isThrownBy(() -> conversation.call(FIND_ONE));
    assertThat(active(CLERK, "c1")).isEmpty();
  }

  @Test
  void afterClosingNothingIsOpened() {
    ToolSession session = session(CLERK, "c1");
    sessions.close();

    assertThatIllegalStateException().isThrownBy(session::state);
    assertThatIllegalStateException().isThrownBy(() -> sessions.open(CLERK, "c2"));
  }

  @Test
  void closingLetsAUseThatIsOnFinish() {
    try (ToolConversation conversation = sessions.open(CLERK, "c1")) {
      sessions.close();
      assertThat(conversation.search("find order").addedToolNames()).contains(FIND);
    }
  }

  @Test
  void anIdThatCannotBeOneIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> sessions.open(CLERK, " "));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sessions.open(CLERK, "x".repeat(ToolSessions.MAX_CONVERSATION_ID + 1)));
    assertThat(sessions.size()).isZero();
  }

  @Test
  void aSessionThatCannotBeOpenedLeavesNothingBehind() {
    registry.close();
    assertThatIllegalStateException().isThrownBy(() -> sessions.open(CLERK, "c1"));
    assertThat(sessions.size()).isZero();
  }

  @Test
  void oneSessionIsOpenedForAConversationThatManyEnterAtOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      CountDownLatch start = new CountDownLatch(1);
      List<Future<ToolSession>> entered = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        entered.add(
            threads.submit(
                () -> {
                  start.await();
                  return session(CLERK, "c1");
                }));
      }
      start.countDown();
      ToolSession first = entered.get(0).get();
      for (Future<ToolSession> one : entered) {
        assertThat(one.get()).isSameAs(first);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void listenersLearnTheToolOfACallAndOneThatThrowsHarmsNobody() {
    answer.complete(ToolResult.text("found"));
    List<String> heard = new ArrayList<>();
    ToolSessionListener broken =
        new ToolSessionListener() {
          @Override
          public void called(HandledCall call) {
            throw new IllegalStateException("broken");
          }
        };
    ToolSessionListener sound =
        new ToolSessionListener() {
          @Override
          public void called(HandledCall call) {
            ToolInfo tool = call.result().tool();
            heard.add((tool == null ? "none" : tool.source()) + " " + Outcomes.of(call.result()));
          }
        };
    try (ToolSessions told = new ToolSessions(registry, 3, 3, IDLE, List.of(broken, sound));
        ToolConversation conversation = told.open(CLERK, "c1")) {
      assertThat(conversation.call(FIND_ONE.allowingInactive()).join().text()).isEqualTo("found");
      conversation.call(FIND_ONE).join();
      conversation.call(CallRequest.of("made_up", "{}")).join();
      conversation.call(CallRequest.of("tool_search", "{\"query\":\"track\"}")).join();
    }
    assertThat(heard)
        .containsExactly(
            "orders completed", "orders not_active", "none not_found", "none searched");
  }

  private ToolSessions keep(int max, int maxPerUser) {
    ToolSessionListener listener =
        new ToolSessionListener() {
          @Override
          public void activated(ToolSession session, List<String> toolNames) {
            events.add("activated");
          }

          @Override
          public void evicted(ToolSession session, Eviction reason) {
            events.add("evicted " + reason);
          }
        };
    return new ToolSessions(registry, max, maxPerUser, IDLE, List.of(listener), clock);
  }

  private static ToolRegistry registry(ToolAuthorizer authorizer, ToolExecutor executor) {
    ToolRegistry registry = ToolRegistry.builder().authorizer(authorizer).build();
    registry.put(Crib.orders(executor));
    return registry;
  }

  private void activate(Caller caller, String id, String... names) {
    try (ToolConversation conversation = sessions.open(caller, id)) {
      assertThat(conversation.activate(List.of(names), null)).containsExactly(names);
    }
  }

  private List<String> active(Caller caller, String id) {
    try (ToolConversation conversation = sessions.open(caller, id)) {
      return conversation.session().state().tools(Standing.ACTIVE);
    }
  }

  private ToolSession session(Caller caller, String id) {
    try (ToolConversation conversation = sessions.open(caller, id)) {
      return conversation.session();
    }
  }
}
