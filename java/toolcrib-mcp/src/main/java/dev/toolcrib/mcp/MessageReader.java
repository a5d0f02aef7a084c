package dev.toolcrib.mcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads messages that end with a line feed. One that is too long is not kept, only its first and
 * last bytes, in which the id of what it answers may be found.
 */
final class MessageReader {

  private static final int ENDS = 1_024;

  private final InputStream in;
  private final int maxBytes;
  private final byte[] buffer = new byte[64 << 10];
  private int from;
  private int to;

  MessageReader(InputStream in, int maxBytes) {
    this.in = in;
    this.maxBytes = maxBytes;
  }

  /** A line; if it was too long its two ends. */
  record Line(String text, boolean tooLong) {}

  /** The next line, or null at the end. What is no UTF-8 becomes U+FFFD. */
  @org.jspecify.annotations.Nullable Line next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    byte[] head = {};
    long length = 0;
    while (true) {
      if (from == to && !fill()) {
        return length == 0 ? null : line(line, head, length);
      }
      int end = from;
      while (end < to && buffer[end] != '\n') {
        end++;
      }
      length += end - from;
      if (head.length == 0) {
        line.write(buffer, from, end - from);
      } else {
        keepEnd(line, from, end);
      }
      boolean complete = end < to;
      from = complete ? end + 1 : end;
      if (length > maxBytes && head.length == 0) {
        byte[] kept = line.toByteArray();
        head = Arrays.copyOf(kept, ENDS);
        // Another one, since this one keeps the memory that it had.
        line = new ByteArrayOutputStream();
        line.write(kept, Math.max(0, kept.length - ENDS), Math.min(kept.length, ENDS));
      }
      if (complete) {
        return line(line, head, length);
      }
    }
  }

  /** Adds what stands in the buffer, and drops all but the last of it. */
  private void keepEnd(ByteArrayOutputStream line, int begin, int end) {
    byte[] before = line.toByteArray();
    int added = Math.min(end - begin, ENDS);
    int kept = Math.min(before.length, ENDS - added);
    line.reset();
    line.write(before, before.length - kept, kept);
    line.write(buffer, end - added, added);
  }

  private Line line(ByteArrayOutputStream line, byte[] head, long length) {
    String text = line.toString(StandardCharsets.UTF_8);
    return length > maxBytes
        ? new Line(new String(head, StandardCharsets.UTF_8) + "\n" + text, true)
        : new Line(text, false);
  }

  private boolean fill() throws IOException {
    from = 0;
    to = Math.max(0, in.read(buffer));
    return to > 0;
  }
}
