package dev.toolcrib.demo.domain;

import dev.toolcrib.ToolAnnotations;
import dev.toolcrib.ToolDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One tool of a domain file.
 *
 * @param definition what Toolcrib is told
 * @param verb what the tool does with a table; empty if Java code does it
 */
record ToolEntry(ToolDefinition definition, Optional<Verb> verb) {

  private static final JsonMapper JSON = JsonMapper.shared();

  static ToolEntry read(JsonNode entry) {
    String does = entry.path("does").asString("");
    Optional<Verb> verb = does.isEmpty() ? Optional.empty() : Optional.of(Verb.parse(does));
    String kind =
        entry.path("kind").asString(verb.filter(v -> !v.changes()).isPresent() ? "read" : "write");
    ObjectNode schema = JSON.createObjectNode().put("type", "object");
    schema.set(
        "properties", entry.path("args").isObject() ? entry.get("args") : JSON.createObjectNode());
    if (entry.has("anyOf")) {
      schema.set("anyOf", entry.get("anyOf"));
    }
    ToolDefinition definition =
        ToolDefinition.named(entry.path("name").asString())
            .title(entry.path("title").asString(null))
            .description(entry.path("description").asString())
            .inputSchema(closed(schema).toString())
            .tags(kind)
            .keywords(words(entry.path("keywords")))
            .annotations(annotations(kind))
            .build();
    return new ToolEntry(definition, verb);
  }

  private static List<String> words(JsonNode node) {
    return StreamSupport.stream(node.spliterator(), false).map(JsonNode::asString).toList();
  }

  private static ToolAnnotations annotations(String kind) {
    return switch (kind) {
      case "read" -> ToolAnnotations.READ_ONLY;
      case "destructive" -> new ToolAnnotations(null, false, true, null, false);
      default -> new ToolAnnotations(null, false, false, null, false);
    };
  }

  /** A copy in which names ending in "!" are required and objects take no other properties. */
  private static JsonNode closed(JsonNode node) {
    if (node.isArray()) {
      ArrayNode copy = JSON.createArrayNode();
      node.forEach(element -> copy.add(closed(element)));
      return copy;
    }
    if (!node.isObject()) {
      return node;
    }
    ObjectNode copy = JSON.createObjectNode();
    node.properties().forEach(field -> copy.set(field.getKey(), closed(field.getValue())));
    if (node.path("properties").isObject()) {
      List<String> required = new ArrayList<>();
      ObjectNode properties = copy.putObject("properties");
      for (var property : node.get("properties").properties()) {
        String name = property.getKey();
        if (name.endsWith("!")) {
          name = name.substring(0, name.length() - 1);
          required.add(name);
        }
        properties.set(name, closed(property.getValue()));
      }
      if (!required.isEmpty()) {
        required.forEach(copy.putArray("required")::add);
      }
      if (!copy.has("additionalProperties")) {
        copy.put("additionalProperties", false);
      }
    }
    return copy;
  }
}
