package dev.toolcrib.mcp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** JSON that nobody would write, the same for the same seed. */
final class RandomJson {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "a",
          "null",
          "-1",
          "\u0000",
          "a\u0000",
          "\n\r\t",
          "caf\u00e9",
          "\ud83d\ude00",
          "\ud800",
          "../../etc/passwd",
          "{\"",
          "$NAME",
          "${",
          "~/x",
          "*",
          "mcp__x__y",
          "x".repeat(3_000));

  private final Random random;

  RandomJson(Random random) {
    this.random = random;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  String text() {
    return one(TEXTS);
  }

  /** Any value, up to so many levels deep. */
  @Nullable Object value(int depth) {
    return switch (random.nextInt(depth > 0 ? 9 : 7)) {
      case 0 -> null;
      case 1 -> random.nextBoolean();
      case 2 -> random.nextInt();
      case 3 -> random.nextGaussian() * 1e18;
      case 4 -> Long.MIN_VALUE;
      case 5, 6 -> text();
      case 7 -> {
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          list.add(value(depth - 1));
        }
        yield list;
      }
      default -> {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          map.put(text(), value(depth - 1));
        }
        yield map;
      }
    };
  }

  /** An object with some of the keys and what is right there, but for one or two of them. */
  Map<String, @Nullable Object> object(Map<String, List<?>> right) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    right.forEach(
        (key, values) -> {
          if (chance(60)) {
            map.put(key, one(values));
          }
        });
    for (int odd = below(3); odd > 0; odd--) {
      map.put(one(List.copyOf(right.keySet())), chance(60) ? text() : value(2));
    }
    if (chance(10)) {
      map.put(text(), value(2));
    }
    return map;
  }

  static String write(@Nullable Object value) {
    return JSON.writeValueAsString(value);
  }

  /** The same text with something cut out, put in or changed. */
  String damaged(String text) {
    if (text.isEmpty()) {
      return text();
    }
    int at = random.nextInt(text.length());
    int to = Math.min(text.length(), at + 1 + random.nextInt(20));
    return switch (random.nextInt(5)) {
      case 0 -> text.substring(0, at);
      case 1 -> text.substring(0, at) + text.substring(to);
      case 2 -> text.substring(0, at) + text() + text.substring(at);
      case 3 -> text.substring(0, to) + text.substring(at);
      default -> text.substring(0, at) + (char) random.nextInt(0x250) + text.substring(at + 1);
    };
  }
}
