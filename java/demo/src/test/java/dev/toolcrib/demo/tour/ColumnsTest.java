package dev.toolcrib.demo.tour;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ColumnsTest {

  @Test
  void aChineseCharacterIsTwoColumnsWide() {
    assertThat(Columns.width("订单 SO-1")).isEqualTo(9);
    assertThat(Columns.width("（ＡＢ）")).isEqualTo(8);
    assertThat(Columns.width("e\u0301")).isEqualTo(1);
  }

  @Test
  void textIsPaddedToOneWidth() {
    assertThat(Columns.left("订单", 6)).isEqualTo("订单  ");
    assertThat(Columns.right("12", 4)).isEqualTo("  12");
    assertThat(Columns.left("too long", 3)).isEqualTo("too long");
  }

  @Test
  void textIsCutBetweenCharacters() {
    assertThat(Columns.cut("查询订单状态", 12)).isEqualTo("查询订单状态");
    assertThat(Columns.cut("查询订单状态", 8)).isEqualTo("查询订…");
    assertThat(Columns.cut("\uD840\uDC00\uD840\uDC01", 3)).isEqualTo("\uD840\uDC00…");
  }
}
