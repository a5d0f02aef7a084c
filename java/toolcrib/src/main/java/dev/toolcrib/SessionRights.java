package dev.toolcrib;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * What the caller of a session may use, as the authorizer said last. An older answer never replaces
 * a newer one, and no lock is held while the authorizer thinks: it may use the session itself, on
 * other threads too.
 */
final class SessionRights {

  /** Rights that change under every question are asked for with the lock held in the end. */
  private static final int QUESTIONS = 16;

  private final GuardedAuthorizer authorizer;
  private final Caller caller;
  private final ReentrantLock lock = new ReentrantLock();
  // All guarded by the lock.
  private ToolSelection inForce;
  private long answers;

  SessionRights(GuardedAuthorizer authorizer, Caller caller, ToolSelection inForce) {
    this.authorizer = authorizer;
    this.caller = caller;
    this.inForce = inForce;
  }

  GuardedAuthorizer authorizer() {
    return authorizer;
  }

  /**
   * Asks the authorizer.
   *
   * @param enforce puts an answer in force that differs from the last one, and tells what was lost
   */
  List<String> refresh(Function<ToolSelection, List<String>> enforce) {
    for (int question = 1; question < QUESTIONS; question++) {
      long before = answers();
      ToolSelection answer = authorizer.authorizedTools(caller);
      lock.lock();
      try {
        // Of two answers that differ nobody knows which is older, unless one was there before the
        // other was asked for.
        if (answers == before || answer.equals(inForce)) {
          return take(answer, enforce);
        }
      } finally {
        lock.unlock();
      }
    }
    return with(selection -> take(authorizer.authorizedTools(caller), enforce));
  }

  private long answers() {
    lock.lock();
    try {
      return answers;
    } finally {
      lock.unlock();
    }
  }

  private List<String> take(ToolSelection answer, Function<ToolSelection, List<String>> enforce) {
    answers++;
    if (answer.equals(inForce)) {
      return List.of();
    }
    List<String> lost = enforce.apply(answer);
    inForce = answer;
    return lost;
  }

  /** Gives what is in force, which does not change meanwhile. */
  <T> T with(Function<ToolSelection, T> use) {
    lock.lock();
    try {
      return use.apply(inForce);
    } finally {
      lock.unlock();
    }
  }
}
