package dev.toolcrib.mcp;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON of the protocol, whose values are Java's maps, lists, texts, numbers and truth values. */
final class Json {

  // Numbers keep all their digits on the way through.
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  /** The same for the SDK. */
  static final McpJsonMapper MCP = new JacksonMcpJsonMapper(MAPPER);

  private Json() {}

  static byte[] bytes(Object value) {
    return MAPPER.writeValueAsBytes(value);
  }

  static String text(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  /** What a JSON object has under a key, if the value is an object. */
  static @Nullable Map<?, ?> object(@Nullable Object value, String key) {
    return value instanceof Map<?, ?> map && map.get(key) instanceof Map<?, ?> inner ? inner : null;
  }

  static @Nullable List<?> list(@Nullable Object value, String key) {
    return value instanceof Map<?, ?> map && map.get(key) instanceof List<?> inner ? inner : null;
  }

  static @Nullable String string(@Nullable Object value, String key) {
    return value instanceof Map<?, ?> map && map.get(key) instanceof String inner ? inner : null;
  }

  static @Nullable Number number(@Nullable Object value, String key) {
    return value instanceof Map<?, ?> map && map.get(key) instanceof Number inner ? inner : null;
  }

  /** A JSON text as a value that is written as it was read. */
  static JsonNode tree(String json) {
    return MAPPER.readTree(json);
  }
}
