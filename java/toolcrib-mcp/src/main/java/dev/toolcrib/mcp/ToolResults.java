package dev.toolcrib.mcp;

import dev.toolcrib.ToolResult;
import dev.toolcrib.mcp.McpFailure.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns results of {@code tools/call} into results of tools. */
final class ToolResults {

  private ToolResults() {}

  /** The result, with a text for every kind of content. */
  static ToolResult of(@Nullable Object result) {
    if (!(result instanceof Map<?, ?> fields)) {
      throw new McpFailure(Kind.NONSENSE, "the answer to tools/call is no object");
    }
    Object content = fields.get("content");
    if (content != null && !(content instanceof List<?>)) {
      throw new McpFailure(Kind.NONSENSE, "the content of the result is no list");
    }
    List<?> blocks = content instanceof List<?> list ? list : List.of();
    List<String> texts = new ArrayList<>();
    boolean plain = blocks.size() < 2;
    for (Object block : blocks) {
      if (!(block instanceof Map<?, ?>)) {
        throw new McpFailure(Kind.NONSENSE, "the content of the result is no list of objects");
      }
      texts.add(text(block));
      // A type and a text and nothing else.
      plain &= "text".equals(Json.string(block, "type")) && ((Map<?, ?>) block).size() == 2;
    }
    Object structured = fields.get("structuredContent");
    String json = structured == null ? null : Json.text(structured);
    boolean isError = Boolean.TRUE.equals(fields.get("isError"));
    String text = String.join("\n", texts);
    if (text.isEmpty()) {
      text = json != null ? json : isError ? "The tool failed and does not say how." : "";
    }
    return new ToolResult(text, json, isError, plain ? null : Json.text(blocks));
  }

  private static String text(Object block) {
    String type = orEmpty(Json.string(block, "type"));
    return switch (type) {
      case "text" -> orEmpty(Json.string(block, "text"));
      case "image", "audio" -> media(type, block);
      case "resource_link" -> link(block);
      case "resource" -> resource(Json.object(block, "resource"));
      default -> "[content of the unknown type %s]".formatted(Connection.cut(type));
    };
  }

  private static String media(String type, Object block) {
    String data = orEmpty(Json.string(block, "data"));
    return "[%s: %s, %s bytes]".formatted(type, mime(block), data.length() / 4 * 3);
  }

  private static String link(Object block) {
    StringBuilder text = new StringBuilder("[resource: ").append(Json.string(block, "uri"));
    for (String key : List.of("title", "name", "mimeType", "description")) {
      String value = Json.string(block, key);
      if (value != null) {
        text.append(", ").append(value);
      }
    }
    Number size = Json.number(block, "size");
    return text.append(size == null ? "]" : ", %s bytes]".formatted(size.longValue())).toString();
  }

  private static String resource(@Nullable Map<?, ?> resource) {
    String text = Json.string(resource, "text");
    if (text != null) {
      return text;
    }
    String blob = orEmpty(Json.string(resource, "blob"));
    String mime = mime(resource);
    if (mime.startsWith("text/") || mime.matches("application/(.*\\+)?(json|xml)")) {
      try {
        return new String(Base64.getDecoder().decode(blob), StandardCharsets.UTF_8);
      } catch (IllegalArgumentException e) {
        return "[resource: %s, %s, not readable]".formatted(Json.string(resource, "uri"), mime);
      }
    }
    return "[resource: %s, %s, %s bytes]"
        .formatted(Json.string(resource, "uri"), mime, blob.length() / 4 * 3);
  }

  private static String mime(@Nullable Object block) {
    String mime = Json.string(block, "mimeType");
    return mime == null ? "of unknown type" : mime;
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
