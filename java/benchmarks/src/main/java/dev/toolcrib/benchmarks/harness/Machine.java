package dev.toolcrib.benchmarks.harness;

import dev.toolcrib.benchmarks.data.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Where and when something was measured. */
public final class Machine {

  private Machine() {}

  /**
   * Writes what a reader needs to know to compare.
   *
   * @param file where
   * @param profile how much was measured
   * @param jvmOptions options of the measuring JVMs
   */
  public static void write(Path file, Profile profile, List<String> jvmOptions) throws IOException {
    Map<String, Object> machine = new LinkedHashMap<>();
    machine.put("date", Instant.now().toString());
    machine.put("profile", profile);
    machine.put("jvmOptions", jvmOptions);
    machine.put(
        "java",
        System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
    machine.put("system", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    machine.put("processors", Runtime.getRuntime().availableProcessors());
    machine.put("processor", first(Path.of("/proc/cpuinfo"), "model name"));
    machine.put("memory", first(Path.of("/proc/meminfo"), "MemTotal"));
    machine.put("load", load());
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(
        file, Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(machine));
  }

  private static String load() throws IOException {
    Path load = Path.of("/proc/loadavg");
    return Files.isReadable(load) ? Files.readString(load).trim() : "";
  }

  private static String first(Path file, String key) throws IOException {
    if (!Files.isReadable(file)) {
      return "";
    }
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith(key))
        .findFirst()
        .map(line -> line.substring(line.indexOf(':') + 1).trim())
        .orElse("");
  }
}
