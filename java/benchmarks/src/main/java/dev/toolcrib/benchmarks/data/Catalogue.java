package dev.toolcrib.benchmarks.data;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Tools and questions, by kind and number. */
public final class Catalogue {

  /** Questions asked of every catalogue in each language. */
  public static final int QUESTIONS = 16;

  // Read once, so that no benchmark is charged with it.
  private static final Map<String, List<String>> QUESTIONS_ASKED = new ConcurrentHashMap<>();

  private Catalogue() {}

  /**
   * Tools.
   *
   * @param kind {@code real} or {@code synthetic}
   * @param count how many
   */
  public static List<Tool> tools(String kind, int count) {
    return switch (kind) {
      case "synthetic" -> SyntheticTools.tools(count);
      case "real" -> data().tools(count);
      default -> throw new IllegalArgumentException("no catalogue is called " + kind);
    };
  }

  /**
   * {@link #QUESTIONS} questions.
   *
   * @param kind as for the tools
   * @param language {@code en} or {@code zh}
   */
  public static List<String> questions(String kind, String language) {
    return QUESTIONS_ASKED.computeIfAbsent(
        kind + ' ' + language, key -> readQuestions(kind, language));
  }

  private static List<String> readQuestions(String kind, String language) {
    boolean chinese = language.equals("zh");
    if (kind.equals("synthetic")) {
      return SyntheticTools.questions(chinese, QUESTIONS);
    }
    Stream<RetrievalSet> sets = data().sets().stream().filter(set -> set.isChinese() == chinese);
    return SharedData.spread(
        sets.flatMap(set -> set.questions().stream().map(RetrievalSet.Question::text)).toList(),
        QUESTIONS);
  }

  private static SharedData data() {
    return SharedData.find()
        .orElseThrow(() -> new IllegalStateException("real tools need the shared data"));
  }
}
