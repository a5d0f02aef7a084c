package dev.toolcrib.demo.records;

/**
 * A tool cannot do what was asked, for a reason the model should read and can often mend. Said in
 * both languages where the code does not know which one the tool speaks.
 */
public final class ToolFailure extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final String chinese;

  /**
   * A failure told in the language of the tool itself.
   *
   * @param message what is wrong, as a format
   * @param arguments what the format needs
   */
  @SuppressWarnings("AnnotateFormatMethod") // in the demo the annotation is not worth its jar
  public static ToolFailure of(String message, Object... arguments) {
    return new ToolFailure(message, message, arguments);
  }

  /**
   * A failure told in two languages.
   *
   * @param chinese the Chinese format
   * @param english the English format
   * @param arguments what both formats need, in one order
   */
  @SuppressWarnings("AnnotateFormatMethod") // in the demo the annotation is not worth its jar
  public ToolFailure(String chinese, String english, Object... arguments) {
    super(english.formatted(arguments));
    this.chinese = chinese.formatted(arguments);
  }

  /** The message in the tool's language. */
  public String message(boolean inChinese) {
    return inChinese ? chinese : String.valueOf(getMessage());
  }
}
