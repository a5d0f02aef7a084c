package dev.toolcrib;

import java.util.Arrays;
import java.util.Collection;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes what crosses to the native side. Numbers are unsigned LEB128; text and bytes have their
 * length before them, lists their count; an optional value has 0 or 1 before it.
 */
final class FrameWriter {

  private static final int SMALL = 256;

  /** The largest array that every JVM can make. */
  private static final int LARGEST = Integer.MAX_VALUE - 8;

  // A ByteArrayOutputStream takes a lock for each byte.
  private byte[] frame;
  private int length;

  FrameWriter() {
    this(SMALL);
  }

  /** Starts with room for so many bytes, so that large content is not copied as the frame grows. */
  FrameWriter(int room) {
    frame = new byte[room];
  }

  /** Writes a number as unsigned: a negative one takes ten bytes. */
  FrameWriter number(long value) {
    while ((value & ~0x7FL) != 0) {
      put((int) ((value & 0x7F) | 0x80));
      value >>>= 7;
    }
    put((int) value);
    return this;
  }

  FrameWriter flag(boolean value) {
    put(value ? 1 : 0);
    return this;
  }

  /** Writes an enum constant as its position, which both sides agree on. */
  @SuppressWarnings("EnumOrdinal") // Positions are the wire's numbers.
  FrameWriter constant(Enum<?> value) {
    return number(value.ordinal());
  }

  FrameWriter bytes(byte[] value) {
    number(value.length);
    reserve(value.length);
    System.arraycopy(value, 0, frame, length, value.length);
    length += value.length;
    return this;
  }

  /**
   * Writes text.
   *
   * @throws IllegalArgumentException if it has half a surrogate pair
   */
  FrameWriter text(String value) {
    return bytes(Text.utf8(value));
  }

  /** Writes text of a model, a person or a tool, with U+FFFD for half a surrogate pair. */
  FrameWriter lenientText(String value) {
    return bytes(Text.leniently(value));
  }

  <T> FrameWriter optional(@Nullable T value, BiConsumer<FrameWriter, T> write) {
    flag(value != null);
    if (value != null) {
      write.accept(this, value);
    }
    return this;
  }

  FrameWriter optionalText(@Nullable String value) {
    return optional(value, FrameWriter::text);
  }

  FrameWriter texts(Collection<String> values) {
    return list(values, FrameWriter::text);
  }

  <T> FrameWriter list(Collection<T> values, BiConsumer<FrameWriter, T> write) {
    number(values.size());
    for (T value : values) {
      write.accept(this, value);
    }
    return this;
  }

  byte[] toBytes() {
    return Arrays.copyOf(frame, length);
  }

  private void put(int value) {
    reserve(1);
    frame[length++] = (byte) value;
  }

  private void reserve(int bytes) {
    if (bytes > frame.length - length) {
      long needed = (long) length + bytes;
      if (needed > LARGEST) {
        throw new IllegalArgumentException(
            "%s bytes cannot be handed over at once, %s are the most".formatted(needed, LARGEST));
      }
      frame = Arrays.copyOf(frame, (int) Math.min(LARGEST, Math.max(needed, 2L * frame.length)));
    }
  }
}
