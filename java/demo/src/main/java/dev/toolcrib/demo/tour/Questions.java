package dev.toolcrib.demo.tour;

import dev.toolcrib.ToolInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Finds questions that a loaded catalogue can answer: of those prepared the first for which it has
 * a tool, else the description of one of its own tools.
 */
final class Questions {

  private static final Pattern HAN = Pattern.compile("\\p{IsHan}{4}");
  private static final int LONGEST = 60;

  private final List<Prepared> prepared;
  private final boolean chinese;
  private final Set<Integer> answerable = new TreeSet<>();
  private Optional<ToolInfo> own = Optional.empty();

  /** A question, and what the name or description of a sensible first hit contains. */
  private record Prepared(String text, Pattern answer) {
    Prepared(String text, String answer) {
      this(text, Pattern.compile(answer, Pattern.CASE_INSENSITIVE));
    }
  }

  /**
   * A question for a catalogue.
   *
   * @param text the question
   * @param answer what name or description of the first hit must contain
   */
  record Question(String text, Pattern answer) {}

  private Questions(boolean chinese, Prepared... prepared) {
    this.chinese = chinese;
    this.prepared = List.of(prepared);
  }

  static Questions inChinese() {
    return new Questions(
        true,
        new Prepared("查询火车票余票", "车票|余票|12306"),
        new Prepared("创建云服务器实例", "RunInstances|创建.{0,8}实例"),
        new Prepared("查询城市天气", "天气"),
        new Prepared("查询订单", "订单"));
  }

  static Questions inEnglish() {
    return new Questions(
        false,
        new Prepared("weather forecast for a city", "weather|forecast"),
        new Prepared("create an issue in a repository", "issue"),
        new Prepared("upload a file to a bucket", "upload|object"),
        new Prepared("send an email", "mail"));
  }

  /** Learns of one more tool of the catalogue. */
  void see(ToolInfo tool) {
    for (int i = 0; i < prepared.size(); i++) {
      if (!answerable.contains(i) && prepared.get(i).answer().matcher(text(tool)).find()) {
        answerable.add(i);
      }
    }
    boolean fits = HAN.matcher(tool.description()).find() == chinese;
    if (own.isEmpty() && fits && tool.description().length() > 10) {
      own = Optional.of(tool);
    }
  }

  /** The question; empty if the catalogue has nothing in this language. */
  Optional<Question> question() {
    List<Question> questions = new ArrayList<>();
    answerable.stream()
        .min(Comparator.naturalOrder())
        .map(prepared::get)
        .ifPresent(p -> questions.add(new Question(p.text(), p.answer())));
    own.ifPresent(
        tool ->
            questions.add(
                new Question(
                    beginning(tool.description()),
                    Pattern.compile(Pattern.quote(beginning(tool.description()))))));
    return questions.stream().findFirst();
  }

  static String text(ToolInfo tool) {
    return tool.name() + " " + tool.description();
  }

  private static String beginning(String text) {
    return text.substring(
        0, text.offsetByCodePoints(0, Math.min(LONGEST, text.codePointCount(0, text.length()))));
  }
}
