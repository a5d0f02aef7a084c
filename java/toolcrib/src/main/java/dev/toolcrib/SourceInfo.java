package dev.toolcrib;

import dev.toolcrib.PublishReport.Quarantined;
import java.util.List;

/**
 * A registered source.
 *
 * @param name its name
 * @param description what it is for; may be empty
 * @param instructions how it wants to be used; may be empty
 * @param tools how many of its tools are published
 * @param quarantined the tools that are not, unmodifiable
 */
public record SourceInfo(
    String name,
    String description,
    String instructions,
    int tools,
    List<Quarantined> quarantined) {

  static SourceInfo read(FrameReader frame) {
    return new SourceInfo(
        frame.text(), frame.text(), frame.text(), frame.count(), frame.list(Quarantined::read));
  }
}
