package dev.toolcrib.benchmarks.harness;

import dev.toolcrib.benchmarks.data.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was measured, to be written as JSON. */
public final class Results {

  private final List<Map<String, Object>> rows = new ArrayList<>();
  private final @Nullable Path file;

  /** Keeps results in memory alone. */
  public Results() {
    this(null);
  }

  /**
   * Keeps results in a file too, so that those of a run that is ended early are not lost.
   *
   * @param file the file, a JSON array, written anew with every result
   */
  public Results(@Nullable Path file) {
    this.file = file;
  }

  /**
   * Adds a benchmark.
   *
   * @param workload the workload it belongs to
   * @param name what was measured
   * @param params the case
   * @param nanos nanoseconds per operation, one number a round
   * @param bytes bytes of Java heap allocated per operation, one number a round
   */
  public void timing(
      String workload,
      String name,
      Map<String, String> params,
      List<Double> nanos,
      List<Double> bytes) {
    Map<String, Object> row = row(workload, name, params);
    row.put("nanos", median(nanos));
    row.put("nanosOfRounds", nanos);
    row.put("bytes", median(bytes));
    write();
    System.out.printf(
        "  %-14s %-26s %-60s %,14.0f ns %,12.0f B%n",
        workload, name, params, median(nanos), median(bytes));
  }

  /**
   * Adds figures that are no time of an operation.
   *
   * @param workload the workload they belong to
   * @param name what was measured
   * @param params the case
   * @param figures the figures, each with its unit in its name
   */
  public void figures(
      String workload, String name, Map<String, String> params, Map<String, ?> figures) {
    row(workload, name, params).put("figures", figures);
    write();
    System.out.printf("  %-14s %-26s %-60s %s%n", workload, name, params, figures);
  }

  /** All rows, unmodifiable. */
  public List<Map<String, Object>> rows() {
    return List.copyOf(rows);
  }

  private void write() {
    if (file == null) {
      return;
    }
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.writeString(
          file, Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(rows));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, Object> row(String workload, String name, Map<String, String> params) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("workload", workload);
    row.put("name", name);
    row.put("params", params);
    rows.add(row);
    return row;
  }

  static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
