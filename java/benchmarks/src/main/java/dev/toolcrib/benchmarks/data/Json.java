package dev.toolcrib.benchmarks.data;

import java.util.StringJoiner;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the data's tools. */
public final class Json {

  /** The one mapper of the benchmarks. */
  public static final JsonMapper MAPPER = JsonMapper.builder().build();

  private Json() {}

  /**
   * Reads one line of a set or catalogue.
   *
   * @param line a JSON object
   * @param file names the source of a tool that names none
   */
  static Tool tool(String line, String file) {
    JsonNode tool = MAPPER.readTree(line);
    String server = tool.path("server").asString("");
    JsonNode schema = tool.path("inputSchema");
    return new Tool(
        server.isBlank() ? file : server,
        tool.path("category").asString(""),
        tool.path("name").asString(""),
        tool.path("description").asString(""),
        schema.isMissingNode() ? "{\"type\":\"object\"}" : schema.toString(),
        parameters(schema));
  }

  private static String parameters(JsonNode schema) {
    StringJoiner text = new StringJoiner("\n");
    schema
        .path("properties")
        .properties()
        .forEach(
            property ->
                text.add(
                    property.getKey()
                        + ' '
                        + property.getValue().path("description").asString("")));
    return text.toString();
  }
}
