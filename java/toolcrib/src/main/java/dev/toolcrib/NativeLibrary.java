package dev.toolcrib;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Loads the native library when it is first needed, once for each class loader, and keeps what went
 * wrong. {@link System#load} is called here and nowhere else, so that it is this class that native
 * access is granted to.
 */
final class NativeLibrary {

  /** Names a library file to load in place of the one in the jar. */
  static final String PATH_PROPERTY = "toolcrib.native.path";

  /** Names a directory to extract the library to in place of the temporary directory. */
  static final String DIRECTORY_PROPERTY = "toolcrib.native.directory";

  // An initializer that threw would leave nothing but NoClassDefFoundError for who comes next.
  private static final @Nullable Failure FAILURE = load();

  private record Failure(String message, Throwable cause) {}

  private NativeLibrary() {}

  /** Why the library could not be loaded, if so. */
  static Optional<ToolcribLoadException> failure() {
    return Optional.ofNullable(FAILURE)
        .map(failure -> new ToolcribLoadException(failure.message, failure.cause));
  }

  /**
   * Makes sure that natives can be called.
   *
   * @throws ToolcribLoadException if the library could not be loaded
   */
  static void require() {
    failure()
        .ifPresent(
            failure -> {
              throw failure;
            });
  }

  private static @Nullable Failure load() {
    String path = System.getProperty(PATH_PROPERTY);
    try {
      if (path != null) {
        System.load(path);
      } else {
        try (ExtractedLibrary library = ExtractedLibrary.extract()) {
          System.load(library.path());
        }
      }
      return checkAbi();
    } catch (LoadFailure e) {
      return new Failure(String.valueOf(e.getMessage()), e);
    } catch (UnsatisfiedLinkError e) {
      return new Failure(LoadAdvice.forLinkError(e, path), e);
    } catch (Throwable e) {
      return new Failure(LoadAdvice.forAnything(e), e);
    }
  }

  private static @Nullable Failure checkAbi() {
    int abi = NativeBridge.abi();
    if (abi == NativeBridge.ABI) {
      return null;
    }
    String message =
        "the native library speaks ABI %s, the Java classes %s: use jars of one version"
            .formatted(abi, NativeBridge.ABI);
    return new Failure(message, new LoadFailure(message));
  }
}
