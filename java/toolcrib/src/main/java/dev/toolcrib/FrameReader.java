package dev.toolcrib;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads what comes from the native side; see {@link FrameWriter} for the form. A frame that is not
 * what the reader expects is a bug of ours, so every check throws {@link
 * ToolcribInternalException}.
 */
final class FrameReader {

  private final byte[] frame;
  private int at;

  FrameReader(byte[] frame) {
    this.frame = frame;
  }

  /** Reads a whole frame with {@code read}, which must leave nothing over. */
  static <T> T read(byte[] frame, Function<FrameReader, T> read) {
    FrameReader reader = new FrameReader(frame);
    T value = read.apply(reader);
    if (reader.at != frame.length) {
      throw reader.broken("something is left over");
    }
    return value;
  }

  long number() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int next = next();
      if (shift == 63 && next > 1) {
        break;
      }
      value |= (long) (next & 0x7F) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw broken("a number has more than 64 bits");
  }

  /** Reads a number that counts or measures something, so that it fits an int. */
  int count() {
    long value = number();
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw broken("a count is out of range");
    }
    return (int) value;
  }

  boolean flag() {
    int value = next();
    if (value > 1) {
      throw broken("a flag is neither 0 nor 1");
    }
    return value == 1;
  }

  double decimal() {
    if (frame.length - at < Double.BYTES) {
      throw broken("it ends too soon");
    }
    long bits = 0;
    for (int i = 0; i < Double.BYTES; i++) {
      bits |= (frame[at++] & 0xFFL) << (8 * i);
    }
    return Double.longBitsToDouble(bits);
  }

  byte[] bytes() {
    int length = length();
    at += length;
    return Arrays.copyOfRange(frame, at - length, at);
  }

  String text() {
    int length = length();
    at += length;
    return new String(frame, at - length, length, StandardCharsets.UTF_8);
  }

  @Nullable String optionalText() {
    return flag() ? text() : null;
  }

  @Nullable Boolean optionalFlag() {
    return flag() ? flag() : null;
  }

  List<String> texts() {
    return list(FrameReader::text);
  }

  <T> List<T> list(Function<FrameReader, T> read) {
    int count = count();
    // Every item takes a byte at least, so a wrong count cannot make us reserve much.
    List<T> values = new ArrayList<>(Math.min(count, frame.length - at));
    for (int i = 0; i < count; i++) {
      values.add(read.apply(this));
    }
    return List.copyOf(values);
  }

  /** Reads the number of a constant. */
  <E extends Enum<E>> E constant(E[] values) {
    int ordinal = count();
    if (ordinal >= values.length) {
      throw broken("it has an unknown constant");
    }
    return values[ordinal];
  }

  ToolcribInternalException broken(String what) {
    return new ToolcribInternalException(
        "a frame of the native library cannot be read at byte %s of %s: %s"
            .formatted(at, frame.length, what));
  }

  private int length() {
    int length = count();
    if (length > frame.length - at) {
      throw broken("it ends too soon");
    }
    return length;
  }

  private int next() {
    if (at == frame.length) {
      throw broken("it ends too soon");
    }
    return frame[at++] & 0xFF;
  }
}
