package dev.toolcrib.spring.boot.tool;

import dev.toolcrib.Exposure;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes a method as a tool. The annotation alone does nothing: the method becomes a tool when
 * its object is given to {@link ObjectTools#source} and the source made of it is a bean.
 *
 * <p>A method takes its arguments as one parameter: a record or another class that the service's
 * {@code JsonMapper} can read, a {@code Map<String, Object>}, or a {@code String} for the JSON text
 * itself. It may take a {@link dev.toolcrib.Caller} and a {@link dev.toolcrib.ToolCall} besides.
 *
 * <p>It returns a {@link dev.toolcrib.ToolResult}, text, or anything that the {@code JsonMapper}
 * can write, directly or in a {@link java.util.concurrent.CompletionStage}. What it throws makes
 * the call fail; the model reads that the tool failed, not the exception's text. To tell the model
 * more, return {@link dev.toolcrib.ToolResult#error}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface CribTool {

  /**
   * The name within its source; the method's name unless set.
   *
   * @return the name
   */
  String name() default "";

  /**
   * A title for people.
   *
   * @return the title
   */
  String title() default "";

  /**
   * What the model reads to choose the tool, in any language.
   *
   * @return the description
   */
  String description();

  /**
   * JSON Schema of the arguments, as text or as the location of a resource, for example {@code
   * classpath:tools/find-order.json}. Unless set it is derived from the arguments' class: every
   * property is required but {@code Optional} ones and those marked {@code @Nullable}, which may be
   * null too; no others are allowed, and {@code @JsonPropertyDescription} says what each is.
   * Arguments taken as a map or as text need it set.
   *
   * @return text that starts with <code>{</code>, or a location
   */
  String inputSchema() default "";

  /**
   * JSON Schema of the structured result, as text or as the location of a resource.
   *
   * @return text that starts with <code>{</code>, or a location
   */
  String outputSchema() default "";

  /**
   * The business domain, one word or a short phrase; the source's unless set.
   *
   * @return the domain
   */
  String domain() default "";

  /**
   * Tags for selection and search.
   *
   * @return the tags
   */
  String[] tags() default {};

  /**
   * Other words for the tool, searched like its name.
   *
   * @return the words
   */
  String[] keywords() default {};

  /**
   * Behaviour hints.
   *
   * @return the hints; what is not hinted at is not said
   */
  Hint[] hints() default {};

  /**
   * How the tool reaches the model; the source's exposure unless set.
   *
   * @return one exposure, or none
   */
  Exposure[] exposure() default {};

  /** The behaviour hints of MCP. */
  enum Hint {
    /** Changes nothing. */
    READ_ONLY,
    /** May destroy something. */
    DESTRUCTIVE,
    /** Changes things, but destroys nothing. */
    NOT_DESTRUCTIVE,
    /** Calling again with the same arguments changes nothing more. */
    IDEMPOTENT,
    /** Reaches things outside its own closed world. */
    OPEN_WORLD,
    /** Stays within its own closed world. */
    CLOSED_WORLD
  }
}
