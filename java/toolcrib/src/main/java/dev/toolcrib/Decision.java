package dev.toolcrib;

import org.jspecify.annotations.Nullable;

/**
 * Whether one call may be executed.
 *
 * @param permitted whether it may
 * @param reason why not, for the model to read; null when permitted
 */
public record Decision(boolean permitted, @Nullable String reason) {

  private static final Decision PERMIT = new Decision(true, null);

  /**
   * The call may be executed.
   *
   * @return the decision
   */
  public static Decision permit() {
    return PERMIT;
  }

  /**
   * The call may not be executed.
   *
   * @param reason why not; the model reads it
   * @return the decision
   */
  public static Decision deny(String reason) {
    return new Decision(false, reason);
  }
}
