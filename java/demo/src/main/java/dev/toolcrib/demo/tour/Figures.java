package dev.toolcrib.demo.tour;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalLong;

/** Figures as people read them. */
final class Figures {

  private Figures() {}

  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  static String bytes(long bytes) {
    return bytes < 10_000
        ? count(bytes) + " B"
        : bytes < 10_000_000
            ? String.format(Locale.ROOT, "%,.1f KB", bytes / 1e3)
            : String.format(Locale.ROOT, "%,.1f MB", bytes / 1e6);
  }

  static String time(Duration time) {
    long micros = time.toNanos() / 1_000;
    return micros < 1_000
        ? micros + " µs"
        : micros < 1_000_000
            ? String.format(Locale.ROOT, "%.1f ms", micros / 1e3)
            : String.format(Locale.ROOT, "%.1f s", micros / 1e6);
  }

  static Duration since(long nanoTime) {
    return Duration.ofNanos(System.nanoTime() - nanoTime);
  }

  /**
   * Memory of this process that is in RAM, heap and native together; empty if the system does not
   * say.
   */
  static OptionalLong residentBytes() {
    try {
      return Files.readAllLines(Path.of("/proc/self/status")).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }
}
