package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ToolSelectionTest {

  private final ToolSelection read = ToolSelection.tags("read");
  private final ToolSelection sales = ToolSelection.domains("sales");

  @Test
  void the_order_in_which_rights_were_collected_makes_no_difference() {
    assertThat(ToolSelection.names("a", "b", "a"))
        .isEqualTo(ToolSelection.names(List.of("b", "a")));
    assertThat(ToolSelection.names("a", "b")).hasSameHashCodeAs(ToolSelection.names("b", "a"));
  }

  @Test
  void all_and_none_leave_and_take_everything() {
    assertThat(read.and(ToolSelection.all())).isEqualTo(read);
    assertThat(read.or(ToolSelection.none())).isEqualTo(read);
    assertThat(read.and(ToolSelection.none())).isEqualTo(ToolSelection.none());
    assertThat(read.or(ToolSelection.all())).isEqualTo(ToolSelection.all());
    assertThat(ToolSelection.all().not()).isEqualTo(ToolSelection.none());
    assertThat(read.not().not()).isEqualTo(read);
    assertThat(ToolSelection.names(List.of())).isEqualTo(ToolSelection.none());
  }

  @Test
  void a_long_chain_stays_flat() {
    ToolSelection any = ToolSelection.none();
    for (int i = 0; i < 10_000; i++) {
      any = any.or(ToolSelection.tags("tag" + i % 10));
    }
    assertThat(any.toString()).startsWith("(tags[tag0] or tags[tag1] or");
  }

  @Test
  void it_says_what_it_selects() {
    assertThat(sales.except(read)).hasToString("(domains[sales] and not(tags[read]))");
  }
}
