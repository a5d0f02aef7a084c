package dev.toolcrib;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * The active set as one provider wants to see it. Within a session the declarations only grow, in a
 * fixed order, so that the former JSON stays a prefix and prompt caches keep hitting.
 */
public final class RenderedTools {

  private final Endpoint endpoint;
  private final long revision;
  private final String field;
  private final byte[] json;
  private final List<String> names;
  private final List<String> withdrawn;
  private final List<Note> notes;
  private final List<Quarantined> quarantined;
  private final List<String> leftOut;
  private final List<String> notReady;

  private RenderedTools(Endpoint endpoint, FrameReader frame) {
    this.endpoint = endpoint;
    revision = frame.number();
    field = frame.text();
    json = frame.bytes();
    names = frame.texts();
    withdrawn = frame.texts();
    notes = frame.list(Note::read);
    quarantined = frame.list(Quarantined::read);
    leftOut = frame.texts();
    notReady = frame.texts();
  }

  static RenderedTools read(Endpoint endpoint, FrameReader frame) {
    return new RenderedTools(endpoint, frame);
  }

  /** Tells renderings of this process apart; never 0. */
  long revision() {
    return revision;
  }

  /**
   * The wire format.
   *
   * @return the target
   */
  public Target target() {
    return endpoint.target();
  }

  /**
   * The endpoint that this is for.
   *
   * @return the endpoint
   */
  public Endpoint endpoint() {
    return endpoint;
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
   * Whether there is nothing to declare: then leave the field out, for most providers refuse an
   * empty list.
   *
   * @return true if the list is empty
   */
  public boolean isEmpty() {
    return names.isEmpty() && withdrawn.isEmpty();
  }

  /**
   * The declarations as compact JSON, ready to stand in the request's {@link #field()} unless
   * {@linkplain #isEmpty() there are none}.
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
   * The same as {@link #bytes()}, without copying: for a request that is written to a channel or
   * put together in a buffer.
   *
   * @return a read-only view, in UTF-8, with a position of its own
   */
  public ByteBuffer buffer() {
    return ByteBuffer.wrap(json).asReadOnlyBuffer();
  }

  /**
   * The declared tools in their order, those of Toolcrib's own first that are offered from the
   * start. Active tools whose declarations stand in the history alone are not among them.
   *
   * @return public names, unmodifiable
   */
  public List<String> toolNames() {
    return names;
  }

  /**
   * The tools that the caller has lost and that still stand in the list, by name alone, because the
   * history refers to them. Every call of one is refused.
   *
   * @return public names, unmodifiable
   */
  public List<String> withdrawn() {
    return withdrawn;
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
   * What had to be changed for this provider, tool by tool, in the request or in the history.
   *
   * @return notes, unmodifiable
   */
  public List<Note> notes() {
    return notes;
  }

  /**
   * The active tools that this provider cannot be given, and why.
   *
   * @return the tools, unmodifiable
   */
  public List<Quarantined> quarantined() {
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

  /**
   * The {@linkplain ToolRegistry#expect expected} sources that the caller may know of, that may
   * have tools of exposure {@link Exposure#DIRECT}, and whose tools are not known yet: these will
   * be declared by a later rendering.
   *
   * @return names of sources in their order, unmodifiable
   */
  public List<String> notReady() {
    return notReady;
  }

  @Override
  public String toString() {
    return "RenderedTools[%s, %s tools, %s bytes]".formatted(endpoint, names.size(), json.length);
  }

  /**
   * One change that was made to a tool's schema so that the provider accepts it.
   *
   * @param tool the public name
   * @param pointer JSON Pointer to the changed place, as if every {@code $ref} were replaced by
   *     what it names; empty for the schema itself
   * @param effect what it did to the meaning
   * @param what what was changed, usually a keyword
   * @param why why, as a short clause
   */
  public record Note(String tool, String pointer, Effect effect, String what, String why) {

    static Note read(FrameReader frame) {
      return new Note(
          frame.text(), frame.text(), frame.constant(Effect.values()), frame.text(), frame.text());
    }

    /**
     * All of it but the tool, on one line.
     *
     * @return text for people
     */
    public String text() {
      return "#%s: %s: %s".formatted(pointer, what, why);
    }
  }

  /** What a change did to the set of arguments that a declaration accepts. */
  public enum Effect {
    /** Another form of the same meaning. */
    REWRITTEN,
    /** The declaration accepts less than the tool does. */
    NARROWED,
    /** The declaration accepts more than the tool does; a call is validated all the same. */
    LOOSENED
  }

  /**
   * A tool that has no declaration for this provider. It keeps those for others.
   *
   * @param tool the public name
   * @param code the stable code of the reason, for example {@code too_large}
   * @param reason what is wrong, for people
   */
  public record Quarantined(String tool, String code, String reason) {

    static Quarantined read(FrameReader frame) {
      return new Quarantined(frame.text(), frame.text(), frame.text());
    }
  }
}
