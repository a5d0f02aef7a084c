package dev.toolcrib.benchmarks.data;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Tools with questions and the tools that answer them.
 *
 * @param name the set's name
 * @param tools the pool
 * @param questions the questions
 */
public record RetrievalSet(String name, List<Tool> tools, List<Question> questions) {

  /**
   * A question.
   *
   * @param text what is asked
   * @param gold names of all tools that answer it
   */
  public record Question(String text, Set<String> gold) {}

  /** Whether the questions are Chinese. */
  public boolean isChinese() {
    return name.endsWith("-zh");
  }

  static RetrievalSet read(Path folder) {
    String name = folder.getFileName().toString();
    List<Tool> tools =
        SharedData.lines(folder.resolve("tools.jsonl")).stream()
            .map(line -> Json.tool(line, name))
            .toList();
    List<Question> questions =
        SharedData.lines(folder.resolve("queries.jsonl")).stream()
            .map(RetrievalSet::question)
            .toList();
    return new RetrievalSet(name, tools, questions);
  }

  private static Question question(String line) {
    JsonNode question = Json.MAPPER.readTree(line);
    return new Question(
        question.path("query").asString(""),
        question
            .path("gold")
            .valueStream()
            .map(JsonNode::asString)
            .collect(Collectors.toUnmodifiableSet()));
  }
}
