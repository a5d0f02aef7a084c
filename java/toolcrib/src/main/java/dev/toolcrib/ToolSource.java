package dev.toolcrib;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Where tools come from: one MCP server, one part of the service's own code, one file. Putting a
 * source replaces the source of the same name as a whole.
 */
public final class ToolSource {

  private static final AtomicLong REVISIONS = new AtomicLong();

  /** Tells this source from every other one, that of the same name as well. */
  private final long revision = REVISIONS.incrementAndGet();

  private final String name;
  private final String description;
  private final String instructions;
  private final Naming naming;
  private final @Nullable String domain;
  private final List<String> tags;
  private final Exposure exposure;
  private final Map<String, Exposure> exposures;
  private final List<ToolDefinition> tools;
  private final List<byte[]> toolsLists;
  private final Map<String, ToolExecutor> executors;
  private final @Nullable ToolExecutor executor;

  private ToolSource(Builder builder) {
    name = builder.name;
    description = builder.description;
    instructions = builder.instructions;
    naming = builder.naming;
    domain = builder.domain;
    tags = List.copyOf(builder.tags);
    exposure = builder.exposure;
    exposures = new LinkedHashMap<>(builder.exposures);
    tools = List.copyOf(builder.tools);
    toolsLists = List.copyOf(builder.toolsLists);
    executors = Map.copyOf(builder.executors);
    executor = builder.executor;
  }

  /**
   * Starts a source.
   *
   * @param name its name, the namespace of its tools
   * @return a builder
   */
  public static Builder named(String name) {
    return new Builder(name);
  }

  /**
   * The source's name.
   *
   * @return the name
   */
  public String name() {
    return name;
  }

  long revision() {
    return revision;
  }

  /** What executes the tool that the source calls {@code localName}; null if nothing does. */
  @Nullable ToolExecutor executorOf(String localName) {
    return executors.getOrDefault(localName, executor);
  }

  FrameWriter toFrame() {
    long lists = toolsLists.stream().mapToLong(list -> list.length).sum();
    FrameWriter frame = new FrameWriter((int) Math.min(lists + 1_024, Integer.MAX_VALUE - 8));
    writeTo(frame);
    return frame;
  }

  private void writeTo(FrameWriter frame) {
    frame.text(name).text(description).text(instructions).constant(naming);
    frame.optionalText(domain).texts(tags).constant(exposure);
    frame.list(exposures.entrySet(), (f, rule) -> f.text(rule.getKey()).constant(rule.getValue()));
    frame.list(tools, ToolFrames::writeDefinition);
    frame.list(toolsLists, FrameWriter::bytes).number(revision);
  }

  @Override
  public String toString() {
    return "ToolSource[%s, %s tools, %s lists]".formatted(name, tools.size(), toolsLists.size());
  }

  /** Collects what is known of a source. Not thread-safe. */
  public static final class Builder {
    private final String name;
    private String description = "";
    private String instructions = "";
    private Naming naming = Naming.NAMESPACED;
    private @Nullable String domain;
    private final List<String> tags = new ArrayList<>();
    private Exposure exposure = Exposure.CODEMODE;
    private final Map<String, Exposure> exposures = new LinkedHashMap<>();
    private final List<ToolDefinition> tools = new ArrayList<>();
    private final List<byte[]> toolsLists = new ArrayList<>();
    private final Map<String, ToolExecutor> executors = new HashMap<>();
    private @Nullable ToolExecutor executor;

    private Builder(String name) {
      this.name = name;
    }

    /**
     * Sets what the source is for, in any language; searched with a low weight.
     *
     * @param description the description
     * @return this
     */
    public Builder description(String description) {
      this.description = description;
      return this;
    }

    /**
     * Sets how the source wants to be used, for the model.
     *
     * @param instructions the instructions
     * @return this
     */
    public Builder instructions(String instructions) {
      this.instructions = instructions;
      return this;
    }

    /**
     * Sets how its tools are named; {@link Naming#NAMESPACED} unless set.
     *
     * @param naming the naming
     * @return this
     */
    public Builder naming(Naming naming) {
      this.naming = naming;
      return this;
    }

    /**
     * Sets the business domain of tools that name none.
     *
     * @param domain the domain
     * @return this
     */
    public Builder domain(@Nullable String domain) {
      this.domain = domain;
      return this;
    }

    /**
     * Adds tags that every tool of the source has besides its own.
     *
     * @param tags the tags
     * @return this
     */
    public Builder tags(String... tags) {
      return tags(List.of(tags));
    }

    /**
     * Adds tags that every tool of the source has besides its own.
     *
     * @param tags the tags
     * @return this
     */
    public Builder tags(Collection<String> tags) {
      this.tags.addAll(tags);
      return this;
    }

    /**
     * Sets the exposure of tools that no rule names and that say nothing themselves; {@link
     * Exposure#CODEMODE} unless set.
     *
     * @param exposure the exposure
     * @return this
     */
    public Builder exposure(Exposure exposure) {
      this.exposure = exposure;
      return this;
    }

    /**
     * Adds a rule that overrides what tools say themselves. Exact names win over patterns, earlier
     * patterns over later ones.
     *
     * @param tool a name within the source, or a pattern in which {@code *} stands for any run of
     *     characters
     * @param exposure the exposure of the tools it fits
     * @return this
     */
    public Builder exposure(String tool, Exposure exposure) {
      exposures.put(tool, exposure);
      return this;
    }

    /**
     * Adds a tool that the source's {@link #executor} executes.
     *
     * @param definition the tool
     * @return this
     */
    public Builder tool(ToolDefinition definition) {
      tools.add(definition);
      return this;
    }

    /**
     * Adds a tool with an executor of its own.
     *
     * @param definition the tool
     * @param executor what executes it
     * @return this
     */
    public Builder tool(ToolDefinition definition, ToolExecutor executor) {
      executors.put(definition.name(), executor);
      return tool(definition);
    }

    /**
     * Adds tools in their MCP form: a {@code tools/list} result of any revision, a page of one, the
     * JSON-RPC response around it, an array of tools, or one tool a line. May be called for each
     * page.
     *
     * @param json the JSON text
     * @return this
     */
    public Builder toolsList(String json) {
      toolsLists.add(Text.utf8(json));
      return this;
    }

    /**
     * As {@link #toolsList(String)}, for text that is at hand as bytes.
     *
     * @param json the JSON text in UTF-8
     * @return this
     */
    public Builder toolsList(byte[] json) {
      toolsLists.add(json.clone());
      return this;
    }

    /**
     * Sets what executes the tools that have no executor of their own.
     *
     * @param executor the executor
     * @return this
     */
    public Builder executor(ToolExecutor executor) {
      this.executor = executor;
      return this;
    }

    /**
     * Makes the source.
     *
     * @return the source
     */
    public ToolSource build() {
      return new ToolSource(this);
    }
  }
}
