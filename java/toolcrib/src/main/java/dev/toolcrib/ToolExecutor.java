package dev.toolcrib;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Executes tools.
 *
 * <p>It is called on the registry's {@link java.util.concurrent.Executor}, so it may block. It is
 * called only after arguments were validated and the {@link ToolAuthorizer} permitted the call. A
 * throw, a stage that fails, and null all count as a failed tool: the exception is logged, and the
 * model reads that the tool failed, not the exception's text.
 */
@FunctionalInterface
public interface ToolExecutor {

  /**
   * Executes one call.
   *
   * @param call what to execute
   * @return completes with the result; only its first completion counts
   * @throws Exception if the tool failed
   */
  CompletionStage<ToolResult> execute(ToolCall call) throws Exception;

  /**
   * Whether a script's calls of the tool are made one after the other, although the script makes
   * them in parallel. Calls of different scripts, and a model's own, are not held back by it.
   *
   * @return by default false
   */
  default boolean sequential() {
    return false;
  }

  /**
   * The same executor, {@linkplain #sequential one call after the other} in a script.
   *
   * @param tool executes the tool
   * @return an executor that is sequential
   */
  static ToolExecutor oneAfterTheOther(ToolExecutor tool) {
    return new ToolExecutor() {
      @Override
      public CompletionStage<ToolResult> execute(ToolCall call) throws Exception {
        return tool.execute(call);
      }

      @Override
      public boolean sequential() {
        return true;
      }
    };
  }

  /**
   * An executor of blocking code.
   *
   * @param tool the code
   * @return an executor that runs it
   */
  static ToolExecutor blocking(Blocking tool) {
    return call -> CompletableFuture.completedFuture(tool.execute(call));
  }

  /** Code that returns when the tool is done. */
  @FunctionalInterface
  interface Blocking {
    /**
     * Executes one call.
     *
     * @param call what to execute
     * @return the result
     * @throws Exception if the tool failed
     */
    ToolResult execute(ToolCall call) throws Exception;
  }
}
