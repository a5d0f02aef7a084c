package dev.toolcrib;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * Stands before and behind every execution of a tool, whether a model called it or a script. The
 * order of a call is: found and validated, {@link #before} of every interceptor in their order,
 * authorized, executed, {@link #after} of every interceptor in the opposite order.
 *
 * <p>Both are called on the thread that has come so far with the call and should be quick; calls
 * may come from many threads. A throw of {@link #before}, or null, refuses the call; one of {@link
 * #after} withholds the result, though the tool was executed. Both are logged at level WARN.
 */
public interface ToolCallInterceptor {

  /**
   * Before the authorizer is asked. Changed arguments are validated again.
   *
   * @param call what is about to be executed, with valid arguments
   * @return how to go on; by default unchanged
   */
  default Step before(ToolCall call) {
    return Step.proceed();
  }

  /**
   * After the tool was executed.
   *
   * @param call what was executed
   * @param result what the tool answered; where it threw or took too long, an error that says so
   * @return the result to go on with; by default unchanged
   */
  default ToolResult after(ToolCall call, ToolResult result) {
    return result;
  }

  /** How a call goes on. */
  final class Step {
    private static final Step PROCEED = new Step(null, null);

    private final @Nullable String arguments;
    private final @Nullable String refusal;

    private Step(@Nullable String arguments, @Nullable String refusal) {
      this.arguments = arguments;
      this.refusal = refusal;
    }

    /**
     * The call goes on as it is.
     *
     * @return the step
     */
    public static Step proceed() {
      return PROCEED;
    }

    /**
     * The call goes on with other arguments.
     *
     * @param arguments a JSON object for the tool's own schema
     * @return the step
     */
    public static Step withArguments(String arguments) {
      return new Step(requireNonNull(arguments, "arguments"), null);
    }

    /**
     * The call is refused.
     *
     * @param reason why, for the model to read
     * @return the step
     */
    public static Step refuse(String reason) {
      return new Step(null, requireNonNull(reason, "reason"));
    }

    @Nullable String arguments() {
      return arguments;
    }

    @Nullable String refusal() {
      return refusal;
    }
  }
}
