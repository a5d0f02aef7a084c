package dev.toolcrib;

import org.jspecify.annotations.Nullable;

/**
 * The behaviour hints of MCP. They come from the tool's author and are only as trustworthy as that
 * source; null means "not said".
 *
 * @param title a title for people
 * @param readOnly the tool changes nothing
 * @param destructive a change may destroy something
 * @param idempotent calling again with the same arguments changes nothing more
 * @param openWorld the tool reaches things outside its own closed world
 */
public record ToolAnnotations(
    @Nullable String title,
    @Nullable Boolean readOnly,
    @Nullable Boolean destructive,
    @Nullable Boolean idempotent,
    @Nullable Boolean openWorld) {

  /** Nothing said. */
  public static final ToolAnnotations NONE = new ToolAnnotations(null, null, null, null, null);

  /** The tool changes nothing. */
  public static final ToolAnnotations READ_ONLY = new ToolAnnotations(null, true, null, null, null);
}
