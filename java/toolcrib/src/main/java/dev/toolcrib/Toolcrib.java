package dev.toolcrib;

import java.util.Optional;

/** Facts about the library itself. */
public final class Toolcrib {

  private Toolcrib() {}

  /**
   * Why Toolcrib cannot work here, if it cannot: the same exception that every other use would
   * throw. Loads the native library, and never throws.
   *
   * @return empty if everything is well
   */
  public static Optional<ToolcribLoadException> unavailability() {
    return NativeLibrary.failure();
  }

  /**
   * The native library's version.
   *
   * @return the version
   * @throws ToolcribLoadException if it could not be loaded
   */
  public static NativeVersion version() {
    NativeLibrary.require();
    return FrameReader.read(NativeBridge.version(), NativeVersion::read);
  }
}
