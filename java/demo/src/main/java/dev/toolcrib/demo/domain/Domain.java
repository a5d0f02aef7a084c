package dev.toolcrib.demo.domain;

import dev.toolcrib.Exposure;
import dev.toolcrib.Naming;
import dev.toolcrib.ToolCall;
import dev.toolcrib.ToolExecutor;
import dev.toolcrib.ToolResult;
import dev.toolcrib.ToolSource;
import dev.toolcrib.demo.records.Book;
import dev.toolcrib.demo.records.Books;
import dev.toolcrib.demo.records.Table;
import dev.toolcrib.demo.records.ToolFailure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The tools of one business domain: what its file declares, done by a {@link Verb} or by a method
 * of the subclass.
 */
abstract class Domain {

  static final JsonMapper JSON = JsonMapper.shared();
  private static final Logger log = LoggerFactory.getLogger(Domain.class);

  private final DomainFile file;
  private final Map<String, Work> work = new LinkedHashMap<>();

  /** What a tool does: changes the tenant's book and answers. */
  @FunctionalInterface
  interface Work {
    JsonNode execute(Book book, Arguments arguments);
  }

  Domain(String name) {
    file = DomainFile.read(name);
    for (ToolEntry tool : file.tools()) {
      tool.verb().ifPresent(verb -> work.put(tool.definition().name(), verb::execute));
    }
  }

  /** Says what does the work of a tool that the file declares without a verb. */
  final void on(String tool, Work code) {
    if (work.put(tool, code) != null) {
      throw new IllegalStateException(tool + " is done twice");
    }
  }

  /** The name of the domain and of its source. */
  final String name() {
    return file.name();
  }

  /** The tables that this domain adds to every tenant's book. */
  final List<Table.Definition> tables() {
    return file.tables();
  }

  /** Fills its tables. */
  final void seed(Books books, Set<String> tenants) {
    file.seed(books, tenants);
  }

  /**
   * The domain as a source for Toolcrib.
   *
   * @throws IllegalStateException if a tool is declared and never done, or done and not declared
   */
  final ToolSource source(Books books) {
    List<ToolEntry> tools = file.tools();
    Set<String> declared = new java.util.TreeSet<>();
    tools.forEach(tool -> declared.add(tool.definition().name()));
    if (!declared.equals(new java.util.TreeSet<>(work.keySet()))) {
      throw new IllegalStateException(
          "%s: declared %s, done %s".formatted(file.name(), declared, work.keySet()));
    }
    ToolSource.Builder source =
        ToolSource.named(file.name())
            .description(file.description())
            .domain(file.name())
            .naming(Naming.PLAIN)
            .exposure(Exposure.DEFERRED)
            .executor(ToolExecutor.blocking(call -> execute(books, call)));
    tools.forEach(tool -> source.tool(tool.definition()));
    return source.build();
  }

  private ToolResult execute(Books books, ToolCall call) {
    Arguments arguments =
        new Arguments(call.caller(), (ObjectNode) JSON.readTree(call.arguments()));
    Work todo = work.get(call.tool().localName());
    if (todo == null) {
      throw new IllegalStateException("nothing does " + call.tool().name());
    }
    try {
      return books
          .of(call.caller().tenant())
          .whole(
              book -> {
                arguments.checkReferences(book);
                return ToolResult.json(todo.execute(book, arguments).toString());
              });
    } catch (ToolFailure failure) {
      log.debug("{} failed: {}", call.tool().name(), failure.getMessage());
      return ToolResult.error(failure.message(file.inChinese()));
    }
  }
}
