package dev.toolcrib.benchmarks.data;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * Real tools and questions, read from {@code TOOLCRIB_DATA} or the folder of the shared data beside
 * the project. They are not part of it: without them only synthetic ones are measured.
 */
public final class SharedData {

  private final Path root;

  private SharedData(Path root) {
    this.root = root;
  }

  /**
   * The data.
   *
   * @return empty if it is not there
   * @throws IllegalStateException if it is not there although this is CI, where it must be
   */
  public static Optional<SharedData> find() {
    String named = System.getenv("TOOLCRIB_DATA");
    Stream<Path> places =
        named == null
            // From the root of the project, or from this module.
            ? Stream.of(Path.of("../shared/data"), Path.of("../../../shared/data"))
            : Stream.of(Path.of(named));
    Optional<SharedData> found = places.filter(Files::isDirectory).findFirst().map(SharedData::new);
    if (found.isEmpty() && System.getenv("CI") != null) {
      throw new IllegalStateException("the shared data is missing: set TOOLCRIB_DATA");
    }
    return found;
  }

  /**
   * Tools of all catalogues, evenly spread and in their order, so that tools of a source stay
   * together.
   *
   * @param count most tools
   */
  public List<Tool> tools(int count) {
    record Line(String text, String file) {}
    List<Line> lines = new ArrayList<>();
    for (Path file : files("catalogues", ".jsonl.gz")) {
      String name = file.getFileName().toString().replace(".jsonl.gz", "");
      lines(file).forEach(line -> lines.add(new Line(line, name)));
    }
    return spread(lines, count).stream().map(line -> Json.tool(line.text(), line.file())).toList();
  }

  /** The sets with questions, ordered by name. */
  public List<RetrievalSet> sets() {
    return files("retrieval", "/queries.jsonl").stream()
        .map(file -> RetrievalSet.read(file.getParent()))
        .toList();
  }

  /**
   * Lines of {@code schemas/hard.jsonl.gz}: whole schemas, of which many break converters.
   *
   * @return tools
   */
  public List<Tool> hardSchemas() {
    Path file = root.resolve("schemas/hard.jsonl.gz");
    return lines(file).stream().map(line -> Json.tool(line, "hard")).toList();
  }

  /** At most {@code count} items, evenly spread, in their order. */
  public static <T> List<T> spread(List<T> items, int count) {
    long most = Math.min(count, items.size());
    return IntStream.range(0, (int) most)
        .mapToObj(i -> items.get((int) (i * (long) items.size() / most)))
        .toList();
  }

  static List<String> lines(Path file) {
    try (InputStream raw = Files.newInputStream(file);
        InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return reader.lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Path> files(String folder, String ending) {
    try (Stream<Path> files = Files.walk(root.resolve(folder))) {
      return files
          .filter(file -> file.toString().replace('\\', '/').endsWith(ending))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
