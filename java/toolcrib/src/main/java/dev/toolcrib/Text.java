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
