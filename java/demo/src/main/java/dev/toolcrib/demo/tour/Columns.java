package dev.toolcrib.demo.tour;

import java.util.ArrayList;
import java.util.List;

/** Text in a terminal, where a Chinese character is two columns wide. */
final class Columns {

  private Columns() {}

  /** How many columns a text takes. */
  static int width(String text) {
    return text.codePoints().map(Columns::width).sum();
  }

  /** A text with spaces behind it, as wide as wanted or wider. */
  static String left(String text, int width) {
    return text + " ".repeat(Math.max(0, width - width(text)));
  }

  /** A text with spaces before it, as wide as wanted or wider. */
  static String right(String text, int width) {
    return " ".repeat(Math.max(0, width - width(text))) + text;
  }

  /** A text that is no wider than wanted, with an ellipsis if something was cut. */
  static String cut(String text, int width) {
    if (width(text) <= width) {
      return text;
    }
    StringBuilder kept = new StringBuilder();
    int used = 1;
    for (int codePoint : text.codePoints().toArray()) {
      used += width(codePoint);
      if (used > width) {
        break;
      }
      kept.appendCodePoint(codePoint);
    }
    return kept.append('…').toString();
  }

  /** A text as lines no wider than wanted; where more would be needed, the last one is cut. */
  static List<String> wrap(String text, int width, int lines) {
    List<String> wrapped = new ArrayList<>();
    String rest = text;
    while (wrapped.size() < lines - 1 && width(rest) > width) {
      int end = 0;
      for (int used = 0; used < width; ) {
        int codePoint = rest.codePointAt(end);
        used += width(codePoint);
        end += used > width ? 0 : Character.charCount(codePoint);
      }
      int space = rest.lastIndexOf(' ', end);
      int at = space > end / 2 ? space : end;
      wrapped.add(rest.substring(0, at));
      rest = rest.substring(at).stripLeading();
    }
    wrapped.add(cut(rest, width));
    return wrapped;
  }

  private static int width(int codePoint) {
    int type = Character.getType(codePoint);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
      return 0;
    }
    boolean wide =
        Character.isIdeographic(codePoint)
            || (codePoint >= 0x1100 && codePoint <= 0x115F)
            || (codePoint >= 0x3000 && codePoint <= 0x30FF)
            || (codePoint >= 0xAC00 && codePoint <= 0xD7A3)
            || (codePoint >= 0xFF01 && codePoint <= 0xFF60)
            || (codePoint >= 0xFFE0 && codePoint <= 0xFFE6);
    return wide ? 2 : 1;
  }
}
