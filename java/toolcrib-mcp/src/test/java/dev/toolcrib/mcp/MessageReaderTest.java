package dev.toolcrib.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageReaderTest {

  /** More than any array has room for, so that whoever kept it would fail. */
  private static final long ENDLESS = (1L << 31) + (1 << 20);

  @Test
  void of_a_line_without_end_only_its_ends_are_kept() throws Exception {
    MessageReader reader =
        new MessageReader(
            new SequenceInputStream(
                Collections.enumeration(
                    List.of(
                        bytes("{\"id\":\"t1\",\""), new Xs(ENDLESS), bytes("\"}\n{\"id\":2}\n")))),
            1 << 20);
    MessageReader.Line line = reader.next();
    assertThat(line.tooLong()).isTrue();
    assertThat(line.text()).startsWith("{\"id\":\"t1\"").endsWith("x\"}").hasSizeLessThan(3_000);
    assertThat(reader.next().text()).isEqualTo("{\"id\":2}");
    assertThat(reader.next()).isNull();
  }

  private static InputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  private static final class Xs extends InputStream {
    private long left;

    Xs(long left) {
      this.left = left;
    }

    @Override
    public int read() {
      return left-- > 0 ? 'x' : -1;
    }

    @Override
    public int read(byte[] into, int from, int most) {
      if (left <= 0) {
        return -1;
      }
      int length = (int) Math.min(left, most);
      Arrays.fill(into, from, from + length, (byte) 'x');
      left -= length;
      return length;
    }
  }
}
