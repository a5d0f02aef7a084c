package dev.toolcrib.integration;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.toolcrib.Caller;
import dev.toolcrib.Endpoint;
import dev.toolcrib.Exposure;
import dev.toolcrib.Naming;
import dev.toolcrib.RenderedTools;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSession;
import dev.toolcrib.ToolSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * The real schemas that break converters, published and rendered in requests of this many tools.
 */
final class HardTools {

  /** Within the fewest tools that a provider takes in one request. */
  private static final int TOOLS_PER_REQUEST = 100;

  private static final ObjectMapper JSON = new ObjectMapper();

  private HardTools() {}

  /** The value of the request's field of tools, for all tools, some at a time. */
  static List<JsonNode> rendered(Endpoint endpoint) throws IOException {
    List<JsonNode> tools = read();
    List<JsonNode> requests = new ArrayList<>();
    for (int from = 0; from < tools.size(); from += TOOLS_PER_REQUEST) {
      List<JsonNode> some = tools.subList(from, Math.min(from + TOOLS_PER_REQUEST, tools.size()));
      requests.add(JSON.readTree(render(some, endpoint).json()));
    }
    return requests;
  }

  private static RenderedTools render(List<JsonNode> tools, Endpoint endpoint) {
    ObjectNode list = JSON.createObjectNode();
    list.putArray("tools").addAll(tools);
    ToolSource source =
        ToolSource.named("hard")
            .naming(Naming.PLAIN)
            .exposure(Exposure.DIRECT)
            .toolsList(list.toString())
            .build();
    try (ToolRegistry registry =
        ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build()) {
      assertNotEquals(0, registry.put(source).published());
      try (ToolSession session = registry.session(Caller.of("acme", "ann")).open()) {
        return session.render(endpoint);
      }
    }
  }

  /** Under names of their own, for several sources have a tool of the same name. */
  private static List<JsonNode> read() throws IOException {
    String given = System.getenv("TOOLCRIB_DATA");
    Path data = Path.of(given != null ? given : System.getProperty("data.directory"));
    Path file = data.resolve("schemas/hard.jsonl.gz");
    if (!Files.exists(file)) {
      assertNotEquals("true", System.getenv("CI"), file + " is missing; set TOOLCRIB_DATA");
      assumeTrue(false, file + " is missing; set TOOLCRIB_DATA");
    }
    List<JsonNode> tools = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        ObjectNode tool = JSON.createObjectNode();
        JsonNode read = JSON.readTree(line);
        tool.put("name", "hard_%03d".formatted(tools.size()));
        tool.set("description", read.path("description"));
        tool.set("inputSchema", read.path("inputSchema"));
        tools.add(tool);
      }
    }
    return tools;
  }

  /** JSON in one form: keys sorted, numbers by their value. */
  static Object meaning(JsonNode json) {
    if (json.isObject()) {
      Map<String, Object> members = new TreeMap<>();
      json.properties().forEach(member -> members.put(member.getKey(), meaning(member.getValue())));
      return members;
    }
    if (json.isArray()) {
      List<Object> elements = new ArrayList<>();
      json.forEach(element -> elements.add(meaning(element)));
      return elements;
    }
    if (json.isNumber()) {
      BigDecimal number = json.decimalValue();
      return number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
    }
    return json.isNull() ? "null" : json.isTextual() ? "\"" + json.textValue() : json.asText();
  }

  /** The same where names of types are written in capitals, as Google's SDK does. */
  static JsonNode withTypesInCapitals(JsonNode json) {
    if (json.isObject()) {
      ObjectNode copy = JSON.createObjectNode();
      json.properties()
          .forEach(
              member -> {
                JsonNode value = member.getValue();
                boolean type = member.getKey().equals("type") && value.isTextual();
                copy.set(
                    member.getKey(),
                    type
                        ? copy.textNode(value.textValue().toUpperCase(Locale.ROOT))
                        : withTypesInCapitals(value));
              });
      return copy;
    }
    if (json.isArray()) {
      var copy = JSON.createArrayNode();
      json.forEach(element -> copy.add(withTypesInCapitals(element)));
      return copy;
    }
    return json;
  }
}
