package dev.toolcrib;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tool as its author describes it. Nothing is checked here: a tool that cannot be published is
 * reported by {@link ToolRegistry#put}, and the others of its source are published all the same.
 *
 * @param name the name within its source, at most 512 bytes
 * @param title a title for people
 * @param description what the model reads to choose the tool, in any language
 * @param inputSchema JSON Schema of the arguments, of any draft; empty means no arguments
 * @param outputSchema JSON Schema of the structured result
 * @param annotations behaviour hints
 * @param meta a JSON object carried as {@code _meta}
 * @param domain the business domain, one word or a short phrase, for selection and search
 * @param tags tags for selection and search
 * @param keywords other words for the tool, searched like its name
 * @param exposure how it reaches the model; null leaves it to the source
 */
public record ToolDefinition(
    String name,
    @Nullable String title,
    String description,
    String inputSchema,
    @Nullable String outputSchema,
    ToolAnnotations annotations,
    @Nullable String meta,
    @Nullable String domain,
    List<String> tags,
    List<String> keywords,
    @Nullable Exposure exposure) {

  /** Copies the collections. */
  public ToolDefinition {
    requireNonNull(name, "name");
    requireNonNull(description, "description");
    requireNonNull(inputSchema, "inputSchema");
    requireNonNull(annotations, "annotations");
    tags = List.copyOf(tags);
    keywords = List.copyOf(keywords);
  }

  /**
   * Starts a definition.
   *
   * @param name the name within its source
   * @return a builder
   */
  public static Builder named(String name) {
    return new Builder(requireNonNull(name, "name"));
  }

  /** Collects what is known of a tool. Not thread-safe. */
  public static final class Builder {
    private final String name;
    private @Nullable String title;
    private String description = "";
    private String inputSchema = "";
    private @Nullable String outputSchema;
    private ToolAnnotations annotations = ToolAnnotations.NONE;
    private @Nullable String meta;
    private @Nullable String domain;
    private final List<String> tags = new ArrayList<>();
    private final List<String> keywords = new ArrayList<>();
    private @Nullable Exposure exposure;

    private Builder(String name) {
      this.name = name;
    }

    /**
     * Sets the title.
     *
     * @param title a title for people
     * @return this
     */
    public Builder title(@Nullable String title) {
      this.title = title;
      return this;
    }

    /**
     * Sets the description.
     *
     * @param description what the model reads to choose the tool
     * @return this
     */
    public Builder description(String description) {
      this.description = description;
      return this;
    }

    /**
     * Sets the schema of the arguments.
     *
     * @param json a JSON Schema
     * @return this
     */
    public Builder inputSchema(String json) {
      this.inputSchema = json;
      return this;
    }

    /**
     * Sets the schema of the structured result.
     *
     * @param json a JSON Schema
     * @return this
     */
    public Builder outputSchema(@Nullable String json) {
      this.outputSchema = json;
      return this;
    }

    /**
     * Sets the behaviour hints.
     *
     * @param annotations the hints
     * @return this
     */
    public Builder annotations(ToolAnnotations annotations) {
      this.annotations = annotations;
      return this;
    }

    /**
     * Sets {@code _meta}.
     *
     * @param json a JSON object
     * @return this
     */
    public Builder meta(@Nullable String json) {
      this.meta = json;
      return this;
    }

    /**
     * Sets the business domain.
     *
     * @param domain one word or a short phrase
     * @return this
     */
    public Builder domain(@Nullable String domain) {
      this.domain = domain;
      return this;
    }

    /**
     * Adds tags.
     *
     * @param tags the tags
     * @return this
     */
    public Builder tags(String... tags) {
      return tags(List.of(tags));
    }

    /**
     * Adds tags.
     *
     * @param tags the tags
     * @return this
     */
    public Builder tags(Collection<String> tags) {
      this.tags.addAll(tags);
      return this;
    }

    /**
     * Adds other words for the tool.
     *
     * @param keywords the words
     * @return this
     */
    public Builder keywords(String... keywords) {
      return keywords(List.of(keywords));
    }

    /**
     * Adds other words for the tool.
     *
     * @param keywords the words
     * @return this
     */
    public Builder keywords(Collection<String> keywords) {
      this.keywords.addAll(keywords);
      return this;
    }

    /**
     * Overrides the exposure of the source.
     *
     * @param exposure how the tool reaches the model; null leaves it to the source
     * @return this
     */
    public Builder exposure(@Nullable Exposure exposure) {
      this.exposure = exposure;
      return this;
    }

    /**
     * Makes the definition.
     *
     * @return the definition
     */
    public ToolDefinition build() {
      return new ToolDefinition(
          name,
          title,
          description,
          inputSchema,
          outputSchema,
          annotations,
          meta,
          domain,
          tags,
          keywords,
          exposure);
    }
  }
}
