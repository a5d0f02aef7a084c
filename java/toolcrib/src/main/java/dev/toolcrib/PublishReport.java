package dev.toolcrib;

import java.util.List;

/**
 * What came of putting a source.
 *
 * @param version the version of the registry from now on
 * @param published tools of the source that are published
 * @param changed of these, tools that were not there or different before
 * @param removed tools of the source that were there before and are not any more
 * @param quarantined tools that were not published, in the order they came, unmodifiable
 */
public record PublishReport(
    long version, int published, int changed, int removed, List<Quarantined> quarantined) {

  static PublishReport read(FrameReader frame) {
    return new PublishReport(
        frame.number(), frame.count(), frame.count(), frame.count(), frame.list(Quarantined::read));
  }

  /**
   * A tool that was not published.
   *
   * @param tool its own name, or its place in the list where it has none
   * @param code the stable code of the reason, for example {@code duplicate_name}
   * @param reason what is wrong, for people
   */
  public record Quarantined(String tool, String code, String reason) {

    static Quarantined read(FrameReader frame) {
      return new Quarantined(frame.text(), frame.text(), frame.text());
    }
  }
}
