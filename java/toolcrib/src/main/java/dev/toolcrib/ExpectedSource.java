package dev.toolcrib;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A source that is to come: what is known of it before its tools are, and when there is no more use
 * in waiting for it. See {@link ToolRegistry#expect}.
 *
 * <p>A caller may know of it if the caller's {@link ToolSelection} has every tool that it could
 * have, each taken to be of this domain and these tags; nothing is known of their names.
 *
 * @param name the source's name
 * @param exposures what exposures its tools may have; nobody is told of a source with none but
 *     {@link Exposure#HIDDEN}
 * @param domain the business domain of its tools; null for none
 * @param tags tags that each of its tools has
 * @param tried completes, well or not, when it was tried for the first time; by then its tools are
 *     put if there are any
 */
public record ExpectedSource(
    String name,
    Set<Exposure> exposures,
    @Nullable String domain,
    Set<String> tags,
    CompletionStage<?> tried) {

  /** Copies the collections. */
  public ExpectedSource {
    exposures = Set.copyOf(exposures);
    tags = Set.copyOf(tags);
  }

  FrameWriter toFrame() {
    return new FrameWriter()
        .text(name)
        .list(new TreeSet<>(exposures), FrameWriter::constant)
        .optionalText(domain)
        .texts(new TreeSet<>(tags));
  }
}
