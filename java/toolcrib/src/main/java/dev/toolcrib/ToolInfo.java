package dev.toolcrib;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A registered tool, as authorizers, executors and listings see it.
 *
 * @param name the public name, unique in the registry
 * @param source the source it came from
 * @param localName its name within the source
 * @param title a title for people
 * @param description what the model reads to choose the tool; may be empty
 * @param domain the business domain
 * @param tags tags, unmodifiable
 * @param exposure how it reaches the model
 * @param annotations behaviour hints, untrusted unless the source is trusted
 */
public record ToolInfo(
    String name,
    String source,
    String localName,
    @Nullable String title,
    String description,
    @Nullable String domain,
    List<String> tags,
    Exposure exposure,
    ToolAnnotations annotations) {

  /** Copies the tags. */
  public ToolInfo {
    tags = List.copyOf(tags);
  }
}
