package dev.toolcrib;

/**
 * One tool that a search found.
 *
 * @param name the public name
 * @param description the first line of its description
 * @param score how well it fits; comparable within one outcome only
 * @param added whether this search activated it; false if it was active before
 */
public record SearchHit(String name, String description, double score, boolean added) {

  static SearchHit read(FrameReader frame) {
    return new SearchHit(frame.text(), frame.text(), frame.decimal(), frame.flag());
  }
}
