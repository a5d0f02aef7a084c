package dev.toolcrib.benchmarks.search;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.search.ToolSearchRequest;
import dev.langchain4j.service.tool.search.ToolSearchResult;
import dev.langchain4j.service.tool.search.simple.SimpleToolSearchStrategy;
import dev.toolcrib.benchmarks.data.Json;
import dev.toolcrib.benchmarks.data.Tool;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * LangChain4j's simple strategy. Its tool wants an array of terms; here the model gives the words
 * of the question, split at white space.
 */
public final class SimpleStrategySearch implements SearchEngine {

  private final List<ToolSpecification> specifications;
  private final Map<String, String> keys = new HashMap<>();

  /** Takes the caller's tools. */
  public SimpleStrategySearch(List<Tool> tools) {
    specifications =
        tools.stream()
            .map(
                tool ->
                    ToolSpecification.builder()
                        .name(uniqueName(tool))
                        .description(tool.description())
                        .build())
            .toList();
  }

  @Override
  public Object search(String question) {
    return search(question, HITS);
  }

  @Override
  public List<String> find(String question, int limit) {
    return search(question, limit).foundToolNames().stream().map(keys::get).toList();
  }

  private ToolSearchResult search(String question, int limit) {
    String terms = Json.MAPPER.writeValueAsString(Map.of("terms", question.split("\\s+")));
    return SimpleToolSearchStrategy.builder()
        .maxResults(limit)
        .build()
        .search(
            ToolSearchRequest.builder()
                .toolExecutionRequest(
                    ToolExecutionRequest.builder()
                        .id("1")
                        .name("tool_search_tool")
                        .arguments(terms)
                        .build())
                .searchableTools(specifications)
                .invocationContext(InvocationContext.builder().build())
                .build());
  }

  private String uniqueName(Tool tool) {
    String name = tool.name();
    while (keys.putIfAbsent(name, tool.key()) != null) {
      name += "_";
    }
    return name;
  }
}
