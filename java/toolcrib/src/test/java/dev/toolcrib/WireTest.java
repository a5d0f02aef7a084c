package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Frames, against the vectors that the native side is held to as well. */
class WireTest {

  private static final JsonNode VECTORS = Vectors.read("wire.json");

  @Test
  void every_value_of_the_vectors_has_its_form() {
    for (JsonNode item : VECTORS.path("values")) {
      String form = item.path("form").asString();
      JsonNode value = item.path("value");
      byte[] frame = bytes(item);
      if (!form.equals("decimal")) {
        // Decimals are only ever read on this side.
        assertThat(write(form, value)).as("%s", item).isEqualTo(frame);
      }
      assertThat(read(form, frame)).as("%s", item).isEqualTo(expected(form, value));
    }
  }

  @Test
  void what_is_broken_in_the_vectors_is_refused() {
    for (JsonNode item : VECTORS.path("broken")) {
      assertThatThrownBy(() -> read(item.path("form").asString(), bytes(item)))
          .as("%s", item)
          .isInstanceOf(ToolcribInternalException.class);
    }
  }

  @Test
  void what_is_written_is_read() {
    Random random = new Random(1);
    for (int round = 0; round < 2_000; round++) {
      long number = random.nextLong() >>> random.nextInt(64);
      List<String> texts = new ArrayList<>();
      for (int i = random.nextInt(5); i > 0; i--) {
        texts.add(text(random));
      }
      byte[] frame = new FrameWriter().number(number).texts(texts).flag(true).toBytes();
      FrameReader.read(
          frame,
          reader -> {
            assertThat(reader.number()).isEqualTo(number);
            assertThat(reader.texts()).isEqualTo(texts);
            return reader.flag();
          });
    }
  }

  @Test
  void any_bytes_are_read_or_refused() {
    List<Consumer<FrameReader>> readers =
        List.of(
            SearchOutcome::read,
            SessionState::read,
            ToolPage::read,
            f -> Prepared.read(f, "{}"),
            PublishReport::read,
            frame -> RenderedTools.read(Endpoint.of(Target.MCP), frame),
            frame -> ModelCall.readAll(Endpoint.of(Target.MCP), frame));
    Random random = new Random(2);
    for (int round = 0; round < 20_000; round++) {
      byte[] frame = new byte[random.nextInt(40)];
      for (int i = 0; i < frame.length; i++) {
        // Small bytes lead deeper into a frame than arbitrary ones.
        frame[i] = (byte) (random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(6));
      }
      for (Consumer<FrameReader> read : readers) {
        try {
          read.accept(new FrameReader(frame));
        } catch (ToolcribInternalException e) {
          assertThat(e).hasMessageContaining("frame");
        }
      }
    }
  }

  @Test
  void half_a_surrogate_pair_is_refused_and_a_question_mark_is_not() {
    for (String broken : List.of("\uD83D", "a\uDE00b", "x\uD83D\uD83D\uDE00", "?\uD83D")) {
      assertThatThrownBy(() -> Text.utf8(broken))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("surrogate");
    }
    assertThat(Text.of(Text.utf8("really? 😀?"))).isEqualTo("really? 😀?");
    assertThat(Text.of(Text.leniently("really? 😀?"))).isEqualTo("really? 😀?");
    assertThat(Text.of(Text.leniently("x\uD83D\uD83D\uDE00?\uDE00"))).isEqualTo("x\uFFFD😀?\uFFFD");
  }

  private static String text(Random random) {
    int[] points = random.ints(random.nextInt(20), 0, 0x3000).filter(p -> p < 0xD800).toArray();
    return new String(points, 0, points.length);
  }

  private static byte[] bytes(JsonNode item) {
    return HexFormat.of().parseHex(item.path("hex").asString());
  }

  private static byte[] write(String form, JsonNode value) {
    FrameWriter frame = new FrameWriter();
    switch (form) {
      case "number" -> frame.number(Long.parseUnsignedLong(value.asString()));
      case "flag" -> frame.flag(value.asBoolean());
      case "text" -> frame.text(value.asString());
      case "optional_text" -> frame.optionalText(value.isNull() ? null : value.asString());
      case "texts" -> frame.texts(Vectors.texts(value));
      default -> throw new AssertionError("no form: " + form);
    }
    return frame.toBytes();
  }

  private static Object read(String form, byte[] frame) {
    // A list, since a value may be null.
    return Arrays.asList(
        switch (form) {
          case "number" -> FrameReader.<Object>read(frame, FrameReader::number);
          case "flag" -> FrameReader.<Object>read(frame, FrameReader::flag);
          case "decimal" -> FrameReader.<Object>read(frame, FrameReader::decimal);
          case "text" -> FrameReader.<Object>read(frame, FrameReader::text);
          case "optional_text" -> FrameReader.<Object>read(frame, FrameReader::optionalText);
          case "texts" -> FrameReader.<Object>read(frame, FrameReader::texts);
          default -> throw new AssertionError("no form: " + form);
        });
  }

  private static Object expected(String form, JsonNode value) {
    return Arrays.asList(
        switch (form) {
          case "number" -> (Object) Long.parseUnsignedLong(value.asString());
          case "flag" -> value.asBoolean();
          case "decimal" -> value.asDouble();
          case "texts" -> Vectors.texts(value);
          default -> value.isNull() ? null : value.asString();
        });
  }
}
