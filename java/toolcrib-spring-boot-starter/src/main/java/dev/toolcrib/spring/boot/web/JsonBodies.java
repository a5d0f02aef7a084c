package dev.toolcrib.spring.boot.web;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads and writes the bodies of the endpoints. It has a mapper of its own, since the wire format
 * must not change with what the service sets for its own JSON.
 */
final class JsonBodies {

  private static final Logger LOG = LoggerFactory.getLogger(JsonBodies.class);

  private final int maxBytes;
  private final JsonMapper mapper =
      JsonMapper.builder()
          // A misspelt conversationId must not be taken for none.
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          // Numbers in arguments and results go through as they are.
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  JsonBodies(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Reads a body; an empty one is an empty object. */
  <T> T read(HttpServletRequest request, Class<T> type) throws IOException {
    byte[] body = request.getInputStream().readNBytes(maxBytes + 1);
    if (body.length > maxBytes) {
      throw new ToolProblemException(
          HttpStatus.CONTENT_TOO_LARGE,
          "body_too_large",
          "The request body is larger than %s bytes.".formatted(maxBytes),
          null);
    }
    try {
      T read = mapper.readValue(body.length == 0 ? new byte[] {'{', '}'} : body, type);
      if (read == null) {
        throw new ToolProblemException(
            HttpStatus.BAD_REQUEST, "invalid_request", "The request body is null.", null);
      }
      return read;
    } catch (JacksonException e) {
      throw new ToolProblemException(HttpStatus.BAD_REQUEST, "invalid_json", problem(e), e);
    }
  }

  ResponseEntity<byte[]> ok(Object body) {
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_JSON)
        .body(mapper.writeValueAsBytes(body));
  }

  /** JSON that a tool wrote, which may be none. */
  @Nullable JsonNode treeOrNull(@Nullable String json) {
    if (json == null) {
      return null;
    }
    try {
      return mapper.readTree(json);
    } catch (JacksonException e) {
      LOG.warn("the structured content of a result is left out: it is not JSON", e);
      return null;
    }
  }

  private static String problem(JacksonException e) {
    StringBuilder path = new StringBuilder();
    e.getPath()
        .forEach(
            step ->
                path.append('/')
                    .append(
                        step.getPropertyName() != null ? step.getPropertyName() : step.getIndex()));
    String where =
        e.getLocation() == null
            ? ""
            : " at line %s, column %s"
                .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr());
    return path.isEmpty()
        ? "The request body is not JSON as it is expected%s.".formatted(where)
        : "The request body has something unexpected in %s%s.".formatted(path, where);
  }
}
