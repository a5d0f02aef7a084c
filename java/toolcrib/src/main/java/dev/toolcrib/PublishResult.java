package dev.toolcrib;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of one source of {@link ToolRegistry#putAll}: either a report or a failure.
 *
 * @param source the source's name
 * @param report what was published; null if the source was not taken
 * @param failure why the source was not taken, as {@link ToolRegistry#put} throws it; null if it
 *     was
 */
public record PublishResult(
    String source, @Nullable PublishReport report, @Nullable RuntimeException failure) {

  /**
   * The report.
   *
   * @return what was published
   * @throws RuntimeException {@link #failure}, if the source was not taken
   */
  public PublishReport orElseThrow() {
    if (report != null) {
      return report;
    }
    throw requireNonNull(failure, "failure");
  }

  static List<PublishResult> readAll(FrameReader frame, List<ToolSource> sources) {
    var names = sources.iterator();
    return frame.list(
        reader -> {
          String source = names.next().name();
          return reader.flag()
              ? new PublishResult(source, PublishReport.read(reader), null)
              : new PublishResult(
                  source, null, NativeErrors.exception(reader.text(), reader.text()));
        });
  }
}
