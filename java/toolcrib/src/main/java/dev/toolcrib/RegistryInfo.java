package dev.toolcrib;

/**
 * A registry in figures.
 *
 * @param version grows by one with every change
 * @param sources registered sources
 * @param tools published tools
 * @param quarantined tools that were handed in and not published
 */
public record RegistryInfo(long version, int sources, int tools, int quarantined) {

  static RegistryInfo read(FrameReader frame) {
    return new RegistryInfo(frame.number(), frame.count(), frame.count(), frame.count());
  }
}
