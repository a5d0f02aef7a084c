package dev.toolcrib;

/**
 * A source as far as one caller may discover its tools.
 *
 * @param name its name
 * @param description what it is for; may be empty
 * @param instructions how it wants to be used; may be empty
 * @param direct how many tools the caller may discover that are declared from the start
 * @param codemode how many that are reached from scripts
 * @param deferred how many that are reached by tool search
 */
public record ReachedSource(
    String name, String description, String instructions, int direct, int codemode, int deferred) {

  static ReachedSource read(FrameReader frame) {
    return new ReachedSource(
        frame.text(), frame.text(), frame.text(), frame.count(), frame.count(), frame.count());
  }
}
