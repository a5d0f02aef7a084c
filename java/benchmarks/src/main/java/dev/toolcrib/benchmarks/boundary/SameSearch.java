package dev.toolcrib.benchmarks.boundary;

import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.benchmarks.data.Catalogue;
import dev.toolcrib.benchmarks.data.Crib;
import dev.toolcrib.benchmarks.data.Json;
import dev.toolcrib.benchmarks.data.Rights;
import dev.toolcrib.benchmarks.data.Tool;
import dev.toolcrib.benchmarks.search.SearchEngine;
import dev.toolcrib.benchmarks.search.ToolcribSearch;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes what the benchmark {@code session_search} of the core needs to do the same searches
 * without Java: one tool a line, then one question a line with what is found.
 */
public final class SameSearch {

  private SameSearch() {}

  /**
   * Writes it.
   *
   * @param file where
   * @param kind the kind of tools
   * @param count how many
   */
  public static void write(Path file, String kind, int count) throws IOException {
    List<Tool> tools = Catalogue.tools(kind, count);
    try (ToolRegistry registry =
            Crib.registry(tools, caller -> ToolSelection.none(), builder -> builder);
        ToolcribSearch engine = new ToolcribSearch(registry, Rights.ALL);
        BufferedWriter out = Files.newBufferedWriter(file)) {
      for (Tool tool : tools) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("source", tool.source());
        line.put("category", tool.category());
        line.put("domain", tool.domain());
        line.put("name", tool.name());
        line.put("description", tool.description());
        line.put("inputSchema", tool.inputSchema());
        write(out, line);
      }
      for (String language : List.of("en", "zh")) {
        for (String question : Catalogue.questions(kind, language)) {
          write(
              out,
              Map.of(
                  "language", language,
                  "question", question,
                  "found", engine.find(question, SearchEngine.HITS)));
        }
      }
    }
  }

  private static void write(BufferedWriter out, Map<String, ?> line) throws IOException {
    out.write(Json.MAPPER.writeValueAsString(line));
    out.newLine();
  }
}
