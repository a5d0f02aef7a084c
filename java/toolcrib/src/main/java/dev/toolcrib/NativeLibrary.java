package dev.toolcrib;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Loads the native library, once, and keeps what went wrong. */
final class NativeLibrary {

  private static final @Nullable ToolcribLoadException FAILURE = load();

  private NativeLibrary() {}

  static Optional<ToolcribLoadException> failure() {
    return Optional.ofNullable(FAILURE);
  }

  /**
   * Makes sure that natives can be called.
   *
   * @throws ToolcribLoadException if the library could not be loaded
   */
  static void require() {
    if (FAILURE != null) {
      throw FAILURE;
    }
  }

  private static @Nullable ToolcribLoadException load() {
    return new ToolcribLoadException("not built yet", new UnsatisfiedLinkError());
  }
}
