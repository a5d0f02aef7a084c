package dev.toolcrib;

import java.util.Locale;

/** Where the native library for this JVM stands in the jar. */
record NativePlatform(String name, String fileName) {

  /** The platform of this JVM, named alike when the library is built and when it is loaded. */
  static NativePlatform current() {
    return of(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
  }

  static NativePlatform of(String osName, String osArch) {
    String os = osName.toLowerCase(Locale.ROOT);
    String given = osArch.toLowerCase(Locale.ROOT);
    String arch =
        switch (given) {
          case "amd64", "x86-64" -> "x86_64";
          case "arm64" -> "aarch64";
          default -> given;
        };
    if (os.startsWith("windows")) {
      return new NativePlatform("windows-" + arch, "toolcrib.dll");
    }
    if (os.startsWith("mac") || os.startsWith("darwin")) {
      return new NativePlatform("macos-" + arch, "libtoolcrib.dylib");
    }
    return new NativePlatform(os + "-" + arch, "libtoolcrib.so");
  }

  /** The library's resource; its SHA-256 stands beside it with {@code .sha256} added. */
  String resource() {
    return "META-INF/native/" + name + "/" + fileName;
  }
}
