package dev.toolcrib.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.Caller;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Whose session ends when there are too many. */
class ClientSessionsTest {

  private static final Caller ANN = Caller.of("acme", "ann");
  private static final Caller BOB = Caller.of("acme", "bob");

  private static ClientSessions sessions(int most, int mostOfOne) {
    return new ClientSessions(most, mostOfOne, Duration.ofHours(1));
  }

  @Test
  void a_caller_at_the_limit_of_its_own_pushed_out_a_session_of_another() {
    try (ClientSessions sessions = sessions(3, 2)) {
      ClientSession bobs = sessions.open(BOB);
      ClientSession first = sessions.open(ANN);
      sessions.open(ANN);
      ClientSession third = sessions.open(ANN);
      assertThat(sessions.find(bobs.id(), BOB)).isNotNull();
      assertThat(sessions.find(first.id(), ANN)).isNull();
      assertThat(sessions.find(third.id(), ANN)).isNotNull();
      assertThat(sessions.size()).isEqualTo(3);
    }
  }

  @Test
  void who_has_several_makes_room_and_who_has_none_takes_what_was_used_least_recently() {
    try (ClientSessions sessions = sessions(3, 3)) {
      ClientSession bobs = sessions.open(BOB);
      ClientSession first = sessions.open(ANN);
      ClientSession second = sessions.open(ANN);
      sessions.find(first.id(), ANN);
      sessions.open(ANN);
      assertThat(sessions.find(second.id(), ANN)).isNull();
      assertThat(sessions.find(first.id(), ANN)).isNotNull();
      ClientSession carls = sessions.open(Caller.of("acme", "carl"));
      assertThat(sessions.find(bobs.id(), BOB)).isNull();
      assertThat(sessions.find(carls.id(), Caller.of("acme", "carl"))).isNotNull();
      assertThat(sessions.size()).isEqualTo(3);
    }
  }
}
