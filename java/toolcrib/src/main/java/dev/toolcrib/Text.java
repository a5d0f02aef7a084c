package dev.toolcrib;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Text as the native side has it. */
final class Text {

  private Text() {}

  /**
   * Encodes text, refusing what {@link String#getBytes} would silently replace.
   *
   * @throws IllegalArgumentException if the text has half a surrogate pair
   */
  static byte[] utf8(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    // A lone surrogate became a question mark, so only where there is one need we look closer.
    return contains(bytes, (byte) '?') ? strictly(text) : bytes;
  }

  /** Encodes text of a model or a tool, with U+FFFD for half a surrogate pair. */
  static byte[] leniently(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return contains(bytes, (byte) '?') ? mended(text) : bytes;
  }

  private static byte[] mended(String text) {
    int[] mended = text.codePoints().map(Text::orReplacement).toArray();
    return new String(mended, 0, mended.length).getBytes(StandardCharsets.UTF_8);
  }

  private static int orReplacement(int codePoint) {
    boolean half = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    return half ? 0xFFFD : codePoint;
  }

  static String of(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }

  private static byte[] strictly(String text) {
    try {
      ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] exact = new byte[bytes.remaining()];
      bytes.get(exact);
      return exact;
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(
          "the text has half of a surrogate pair, which no UTF-8 can express", e);
    }
  }

  private static boolean contains(byte[] bytes, byte wanted) {
    for (byte b : bytes) {
      if (b == wanted) {
        return true;
      }
    }
    return false;
  }
}
