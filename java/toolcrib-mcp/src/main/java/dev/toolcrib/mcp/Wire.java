package dev.toolcrib.mcp;

import dev.toolcrib.Caller;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Carries JSON-RPC messages to one server and back. */
interface Wire {

  /** Who is told what the wire does. Nothing of it may block. */
  interface Receiver {
    /** A message came. */
    void received(JSONRPCMessage message);

    /** The answer to the request of this id came and cannot be used. */
    void unusable(String id, String why);

    /** Nothing will come or go any more; called once, not for a close of ours. */
    void lost(Throwable why);
  }

  /**
   * Opens the wire. May block for as long as it takes to start a program, not for a server.
   *
   * @throws McpSetupException if it cannot be opened as configured
   */
  void open(Receiver receiver);

  /**
   * Sends a message.
   *
   * @param caller for whom, where the server is told; null for nobody's
   * @return fails if the message certainly did not reach the server, or its answer was refused
   */
  CompletableFuture<@Nullable Void> send(JSONRPCMessage message, @Nullable Caller caller);

  /** What the server said beside the protocol last; empty if nothing. */
  default String lastWords() {
    return "";
  }

  /** Tells the wire that the server agreed on a revision. */
  default void negotiated(String revision) {}

  /**
   * Ends it: politely, then firmly.
   *
   * @return completes when the server is gone
   */
  CompletableFuture<@Nullable Void> close();

  /** Runs {@code action} with what goes wrong in a future, if something does. */
  static <T> void onFailure(CompletableFuture<T> future, Consumer<Throwable> action) {
    var unused =
        future.whenComplete(
            (done, failure) -> {
              if (failure != null) {
                action.accept(failure);
              }
            });
  }
}
