package dev.toolcrib;

import java.util.List;

/**
 * The active set as one provider wants to see it. Within a session the declarations only grow, in a
 * fixed order, so that the former JSON stays a prefix and prompt caches keep hitting.
 */
public final class RenderedTools {

  private final Target target;
  private final String field;
  private final byte[] json;
  private final List<String> names;
  private final List<Note> notes;
  private final List<Note> quarantined;
  private final List<String> leftOut;

  private RenderedTools(Target target, FrameReader frame) {
    this.target = target;
    field = frame.text();
    json = frame.bytes();
    names = frame.texts();
    notes = frame.list(Note::read);
    quarantined = frame.list(Note::read);
    leftOut = frame.texts();
  }

  static RenderedTools read(Target target, FrameReader frame) {
    return new RenderedTools(target, frame);
  }

  /**
   * The wire format.
   *
   * @return the target
   */
  public Target target() {
    return target;
  }

  /**
   * The field of the request that takes the declarations, for example {@code tools}.
   *
   * @return the field's name
   */
  public String field() {
    return field;
  }

  /**
   * The declarations as compact JSON, ready to stand in the request's {@link #field()}.
   *
   * @return JSON text
   */
  public String json() {
    return Text.of(json);
  }

  /**
   * The same as {@link #json()}, without making text of it.
   *
   * @return a copy, in UTF-8
   */
  public byte[] bytes() {
    return json.clone();
  }

  /**
   * The declared tools in their order, {@code tool_search} first.
   *
   * @return public names, unmodifiable
   */
  public List<String> toolNames() {
    return names;
  }

  /**
   * About how many tokens the declarations cost: a quarter of their bytes, which is close for
   * English and JSON.
   *
   * @return an estimate that needs no tokenizer
   */
  public int estimatedTokens() {
    return json.length / 4;
  }

  /**
   * What had to be changed for this provider, tool by tool.
   *
   * @return notes, unmodifiable
   */
  public List<Note> notes() {
    return notes;
  }

  /**
   * The active tools that this provider cannot be given, and why.
   *
   * @return notes, unmodifiable
   */
  public List<Note> quarantined() {
    return quarantined;
  }

  /**
   * The active tools beyond what one request of this provider takes, in their order. They can be
   * called all the same.
   *
   * @return public names, unmodifiable
   */
  public List<String> leftOut() {
    return leftOut;
  }

  @Override
  public String toString() {
    return "RenderedTools[%s, %d tools, %d bytes]".formatted(target, names.size(), json.length);
  }

  /**
   * A remark on one tool.
   *
   * @param tool the public name
   * @param text what was changed, or why the tool is not declared
   */
  public record Note(String tool, String text) {

    static Note read(FrameReader frame) {
      return new Note(frame.text(), frame.text());
    }
  }
}
