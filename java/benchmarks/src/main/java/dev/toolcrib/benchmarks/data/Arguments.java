package dev.toolcrib.benchmarks.data;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes arguments for a schema: every property of the first levels, each with some value of its
 * type. What is not understood gives arguments that are not valid; who uses them finds out.
 */
public final class Arguments {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final int DEPTH = 4;

  private static final Map<String, String> FORMATS =
      Map.of(
          "date", "2026-11-30",
          "date-time", "2026-11-30T12:00:00Z",
          "uri", "https://example.org/",
          "url", "https://example.org/",
          "email", "a@example.org",
          "uuid", "123e4567-e89b-12d3-a456-426614174000");

  private final JsonNode root;

  private Arguments(JsonNode root) {
    this.root = root;
  }

  /** Arguments that should be valid. */
  public static ObjectNode valid(String schema) {
    JsonNode root = Json.MAPPER.readTree(schema);
    return new Arguments(root).value(root, 0) instanceof ObjectNode object
        ? object
        : NODES.objectNode();
  }

  /** The same with one fault: a property that is required is of another type. */
  public static ObjectNode invalid(String schema) {
    ObjectNode arguments = valid(schema);
    JsonNode required = Json.MAPPER.readTree(schema).path("required").path(0);
    String name = required.asString("");
    JsonNode value = arguments.path(name);
    arguments.set(name, value.isObject() ? NODES.numberNode(1) : NODES.objectNode());
    return arguments;
  }

  private JsonNode value(JsonNode schema, int depth) {
    JsonNode reference = schema.path("$ref");
    if (reference.asString("").startsWith("#/") && depth < DEPTH) {
      return value(root.at(reference.asString("").substring(1)), depth + 1);
    }
    for (String keyword : new String[] {"const", "default"}) {
      if (schema.has(keyword) && !schema.get(keyword).isNull()) {
        return schema.get(keyword);
      }
    }
    if (schema.path("enum").isArray()) {
      return schema.path("enum").get(0);
    }
    for (String keyword : new String[] {"anyOf", "oneOf", "allOf"}) {
      if (schema.path(keyword).isArray() && depth < DEPTH) {
        return value(schema.path(keyword).get(0), depth + 1);
      }
    }
    JsonNode type = schema.path("type");
    String name = type.isArray() ? type.get(0).asString("") : type.asString("");
    return switch (name) {
      case "object" -> object(schema, depth);
      case "array" -> array(schema, depth);
      case "integer" -> NODES.numberNode((long) Math.max(1, schema.path("minimum").asDouble(1)));
      case "number" -> NODES.numberNode(Math.max(1.5, schema.path("minimum").asDouble(1.5)));
      case "boolean" -> NODES.booleanNode(true);
      case "null" -> NODES.nullNode();
      default -> text(schema);
    };
  }

  private JsonNode object(JsonNode schema, int depth) {
    ObjectNode object = NODES.objectNode();
    if (depth < DEPTH) {
      schema
          .path("properties")
          .properties()
          .forEach(
              property -> object.set(property.getKey(), value(property.getValue(), depth + 1)));
    }
    return object;
  }

  private JsonNode array(JsonNode schema, int depth) {
    ArrayNode array = NODES.arrayNode();
    long least = Math.max(1, schema.path("minItems").asLong(1));
    for (long i = 0; i < Math.min(least, 10) && depth < DEPTH; i++) {
      array.add(value(schema.path("items"), depth + 1));
    }
    return array;
  }

  private static JsonNode text(JsonNode schema) {
    String text = FORMATS.getOrDefault(schema.path("format").asString(""), "some text 一些文字");
    int least = schema.path("minLength").asInt(0);
    int most = schema.path("maxLength").asInt(Integer.MAX_VALUE);
    String padded = text.length() < least ? text + "x".repeat(least - text.length()) : text;
    return NODES.stringNode(padded.substring(0, Math.min(most, padded.length())));
  }
}
