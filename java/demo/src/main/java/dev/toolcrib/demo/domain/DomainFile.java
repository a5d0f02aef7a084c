package dev.toolcrib.demo.domain;

import dev.toolcrib.demo.records.Book;
import dev.toolcrib.demo.records.Books;
import dev.toolcrib.demo.records.Table;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a resource file {@code domains/<name>.yaml} says of one business domain: its tables with the
 * rows they start with, and its tools.
 *
 * <p>Two shorthands keep the files readable. A property whose name ends in {@code !} is required.
 * Text like {@code -12d} in a row is the date twelve days before the service started, so that an
 * invoice that is overdue in the file is overdue on every day the demo runs.
 */
final class DomainFile {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Pattern RELATIVE_DATE = Pattern.compile("([+-]\\d{1,4})d");

  private final String name;
  private final JsonNode file;

  private DomainFile(String name, JsonNode file) {
    this.name = name;
    this.file = file;
  }

  /** Reads the file of a domain. */
  static DomainFile read(String name) {
    LoaderOptions options = new LoaderOptions();
    // The files share schemas of dates, addresses and ids by alias.
    options.setMaxAliasesForCollections(1_000);
    // One document, since an alias finds only anchors of its own.
    String text = resource("shapes") + resource(name);
    return new DomainFile(
        name, JSON.valueToTree(new Yaml(new SafeConstructor(options)).<Object>load(text)));
  }

  private static String resource(String name) {
    try (InputStream in = DomainFile.class.getResourceAsStream("/domains/" + name + ".yaml")) {
      if (in == null) {
        throw new IllegalArgumentException("no resource file domains/" + name + ".yaml");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String name() {
    return name;
  }

  String description() {
    return file.path("description").asString();
  }

  boolean inChinese() {
    return file.path("language").asString().equals("zh");
  }

  List<Table.Definition> tables() {
    return file.path("tables").properties().stream()
        .map(
            table ->
                new Table.Definition(
                    table.getKey(),
                    table.getValue().path("id").asString(),
                    table.getValue().path("prefix").asString(""),
                    table.getValue().path("date").asString(null)))
        .toList();
  }

  List<ToolEntry> tools() {
    return StreamSupport.stream(file.path("tools").spliterator(), false)
        .map(ToolEntry::read)
        .toList();
  }

  /** Fills the tables of every tenant; a row that names one is only that tenant's. */
  void seed(Books books, Set<String> tenants) {
    for (Map.Entry<String, JsonNode> table : file.path("tables").properties()) {
      for (JsonNode row : table.getValue().path("rows")) {
        String only = row.path("tenant").asString("");
        for (String tenant : tenants) {
          if (only.isEmpty() || only.equals(tenant)) {
            Book book = books.of(tenant);
            ObjectNode copy = (ObjectNode) dated(row);
            copy.remove("tenant");
            book.whole(b -> b.table(table.getKey()).add(copy));
          }
        }
      }
    }
  }

  /** A copy in which relative dates have become dates. */
  private static JsonNode dated(JsonNode node) {
    if (node.isString()) {
      Matcher relative = RELATIVE_DATE.matcher(node.asString());
      return relative.matches()
          ? JsonNodeFactory.instance.stringNode(
              LocalDate.now(ZoneId.systemDefault())
                  .plusDays(Long.parseLong(relative.group(1)))
                  .toString())
          : node;
    }
    if (node.isObject()) {
      ObjectNode copy = JSON.createObjectNode();
      node.properties().forEach(field -> copy.set(field.getKey(), dated(field.getValue())));
      return copy;
    }
    if (node.isArray()) {
      ArrayNode copy = JSON.createArrayNode();
      node.forEach(element -> copy.add(dated(element)));
      return copy;
    }
    return node;
  }
}
