package dev.toolcrib.mcp.oauth;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a {@code WWW-Authenticate} header of the scheme Bearer says.
 *
 * @param parameters its parameters by name in lower case, the first of each
 */
record Challenge(Map<String, String> parameters) {

  private static final int LONGEST = 8 << 10;

  /** A scheme, or a parameter with a quoted or a plain value. */
  private static final Pattern PART =
      Pattern.compile(
          "([A-Za-z0-9!#$%&'*+.^_`|~-]++)"
              + "(?:\\s*+=\\s*+(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([^\\s,\"]++)))?+");

  /** Reads the first Bearer challenge of all headers; without one there are no parameters. */
  static Challenge of(List<String> headers) {
    Map<String, String> found = new HashMap<>();
    for (String header : headers) {
      if (header.length() > LONGEST || !found.isEmpty()) {
        continue;
      }
      boolean bearer = false;
      Matcher part = PART.matcher(header);
      while (part.find()) {
        String value = part.group(2) != null ? part.group(2) : part.group(3);
        if (value == null) {
          bearer = part.group(1).equalsIgnoreCase("Bearer");
        } else if (bearer) {
          found.putIfAbsent(
              part.group(1).toLowerCase(Locale.ROOT), value.replaceAll("\\\\(.)", "$1"));
        }
      }
    }
    return new Challenge(Map.copyOf(found));
  }

  @Nullable String get(String name) {
    return parameters.get(name);
  }
}
