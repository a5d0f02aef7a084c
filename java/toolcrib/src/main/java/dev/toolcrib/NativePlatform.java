package dev.toolcrib;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/** Where the native library for this JVM stands in the jar. */
record NativePlatform(String name, String fileName) {

  /** Names a platform in place of the one that is found out, for example linux-x86_64-musl. */
  static final String PLATFORM_PROPERTY = "toolcrib.native.platform";

  /** Every file that this process has mapped, on Linux. */
  private static final Path MAPPED = Path.of("/proc/self/maps");

  /** The platform of this JVM. */
  static NativePlatform current() {
    String given = System.getProperty(PLATFORM_PROPERTY);
    if (given != null) {
      return named(given);
    }
    String osName = System.getProperty("os.name", "");
    return of(osName, System.getProperty("os.arch", ""), osName.equals("Linux") && runsOnMusl());
  }

  /** Named as the script names it that builds the library. */
  static NativePlatform of(String osName, String osArch, boolean musl) {
    String os = osName.toLowerCase(Locale.ROOT);
    String given = osArch.toLowerCase(Locale.ROOT);
    String arch =
        switch (given) {
          case "amd64", "x86-64" -> "x86_64";
          case "arm64" -> "aarch64";
          default -> given;
        };
    if (os.startsWith("windows")) {
      return named("windows-" + arch);
    }
    if (os.startsWith("mac") || os.startsWith("darwin")) {
      return named("macos-" + arch);
    }
    return named(os + "-" + arch + (musl ? "-musl" : ""));
  }

  /**
   * Whether the C library of this very process is musl. Asking the system's files or tools instead
   * would mistake a machine that has both.
   */
  private static boolean runsOnMusl() {
    try (Stream<String> mapped = Files.lines(MAPPED, StandardCharsets.ISO_8859_1)) {
      return mapsMusl(mapped);
    } catch (IOException | UncheckedIOException | SecurityException e) {
      return false;
    }
  }

  /** musl is its own dynamic linker, under this name or linked to from it. */
  static boolean mapsMusl(Stream<String> mapped) {
    return mapped.anyMatch(line -> line.contains("/ld-musl-") || line.contains("/libc.musl-"));
  }

  private static NativePlatform named(String name) {
    if (name.startsWith("windows")) {
      return new NativePlatform(name, "toolcrib.dll");
    }
    return new NativePlatform(
        name, name.startsWith("macos") ? "libtoolcrib.dylib" : "libtoolcrib.so");
  }

  /** The library's resource; its SHA-256 stands beside it with {@code .sha256} added. */
  String resource() {
    return "META-INF/native/" + name + "/" + fileName;
  }
}
