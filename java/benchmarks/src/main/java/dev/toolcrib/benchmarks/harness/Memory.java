package dev.toolcrib.benchmarks.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Memory of this process. The JVM is started with its whole heap touched, so that what the resident
 * set grows by is not heap.
 *
 * @param heapBytes used heap after collection
 * @param residentBytes resident set; 0 where the system does not tell
 */
public record Memory(long heapBytes, long residentBytes) {

  private static final int COLLECTIONS = 3;

  /** What is used now. */
  public static Memory now() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    return new Memory(heap, resident());
  }

  /** What has come since. */
  public Memory since(Memory before) {
    return new Memory(heapBytes - before.heapBytes, residentBytes - before.residentBytes);
  }

  private static long resident() {
    Path status = Path.of("/proc/self/status");
    if (!Files.isReadable(status)) {
      return 0;
    }
    try {
      return Files.readAllLines(status).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
