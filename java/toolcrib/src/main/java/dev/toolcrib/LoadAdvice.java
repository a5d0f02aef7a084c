package dev.toolcrib;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What to tell people whose JVM refuses the native library. */
final class LoadAdvice {

  private LoadAdvice() {}

  static String forLinkError(UnsatisfiedLinkError error, @Nullable String path) {
    String said = String.valueOf(error.getMessage());
    String lower = said.toLowerCase(Locale.ROOT);
    if (path != null) {
      return "cannot load the native library that -D%s names (%s): %s"
          .formatted(NativeLibrary.PATH_PROPERTY, path, said);
    }
    if (lower.contains("permission denied")
        || lower.contains("operation not permitted")
        || lower.contains("failed to map segment")) {
      return "cannot load the native library from a directory that allows no execution (noexec): "
          + "name another with -D%s=DIR, or unpack the library from the jar beforehand and name it with -D%s=FILE. The JVM says: %s"
              .formatted(NativeLibrary.DIRECTORY_PROPERTY, NativeLibrary.PATH_PROPERTY, said);
    }
    if (lower.contains("glibc") || lower.contains("ld-linux") || lower.contains("libc.musl")) {
      return "the native library for %s was built for another C library than this system has: add the jar of the right platform and name it with -D%s=PLATFORM, or build the library here and name it with -D%s=FILE. The JVM says: %s"
          .formatted(
              NativePlatform.current().name(),
              NativePlatform.PLATFORM_PROPERTY,
              NativeLibrary.PATH_PROPERTY,
              said);
    }
    return "cannot load the native library for %s: %s"
        .formatted(NativePlatform.current().name(), said);
  }

  static String forAnything(Throwable error) {
    // From JDK 24 on, if started with --illegal-native-access=deny.
    if (error instanceof IllegalCallerException) {
      Module module = LoadAdvice.class.getModule();
      return "this JVM denies native access: start it with --enable-native-access="
          + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
    }
    return "cannot load the native library: " + error;
  }
}
