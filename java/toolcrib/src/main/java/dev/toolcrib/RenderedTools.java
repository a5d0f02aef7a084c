package dev.toolcrib;

import java.util.List;

/**
 * The active set as one provider wants to see it. Within a session the declarations only grow, in a
 * fixed order, so that the former JSON stays a prefix and prompt caches keep hitting.
 */
public final class RenderedTools {

  private final Target target;
  private final byte[] json;
  private final List<String> names;
  private final int estimatedTokens;
  private final List<Note> notes;

  private RenderedTools(Target target, FrameReader frame) {
    this.target = target;
    json = frame.bytes();
    names = frame.texts();
    estimatedTokens = frame.count();
    notes = frame.list(f -> new Note(f.text(), f.text()));
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
   * The JSON array of declarations, ready to stand as {@code tools} in a request.
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
   * About how many tokens the declarations cost.
   *
   * @return an estimate that needs no tokenizer
   */
  public int estimatedTokens() {
    return estimatedTokens;
  }

  /**
   * What had to be changed for this provider, and what could not be declared.
   *
   * @return notes, unmodifiable
   */
  public List<Note> notes() {
    return notes;
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
  public record Note(String tool, String text) {}
}
