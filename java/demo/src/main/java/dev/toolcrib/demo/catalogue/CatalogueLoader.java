package dev.toolcrib.demo.catalogue;

import dev.toolcrib.Exposure;
import dev.toolcrib.PublishReport;
import dev.toolcrib.PublishResult;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSource;
import dev.toolcrib.ToolcribException;
import dev.toolcrib.demo.access.Role;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Loads tools that others declare, from files: {@code tools/list} results as JSON, or one tool a
 * line, either of them gzipped. Tools that name a {@code server} become a source of its own.
 */
public final class CatalogueLoader {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String SUFFIX = "(?i)\\.jsonl?(\\.gz)?$";

  /** Longest {@code category} that is taken for a domain; some files keep whole sentences there. */
  private static final int LONGEST_CATEGORY = 40;

  private final ToolRegistry registry;
  private final Set<String> ownSources;

  /**
   * What was loaded.
   *
   * @param files files read
   * @param sources sources put
   * @param published tools published
   * @param refused tools and lines that were not, for each reason how many
   * @param took time from the first byte read to the last tool searchable
   */
  public record Loaded(
      int files, int sources, int published, Map<String, Integer> refused, Duration took) {}

  /** Loads into a registry, none of whose present sources will be replaced. */
  public CatalogueLoader(ToolRegistry registry) {
    this.registry = registry;
    this.ownSources = registry.sources().stream().map(s -> s.name()).collect(Collectors.toSet());
  }

  /**
   * Loads files.
   *
   * @param paths files, and folders whose files are meant
   * @return what came of it
   * @throws IOException if a file cannot be read
   */
  public Loaded load(List<Path> paths) throws IOException {
    long start = System.nanoTime();
    List<Path> files = files(paths);
    Map<String, Integer> refused = new LinkedHashMap<>();
    List<ToolSource> sources = new ArrayList<>();
    for (Path file : files) {
      String stem = file.getFileName().toString().replaceAll(SUFFIX, "");
      byServer(file, stem, refused)
          .forEach(
              (server, tools) -> {
                // Two files may both know a server of one name; each keeps its own.
                boolean shared = files.size() > 1 && !server.equals(stem);
                String name = shared ? stem + "-" + server : server;
                sources.add(source(name, stem, tools.toByteArray()));
              });
    }
    int put = 0;
    int published = 0;
    for (PublishResult result : registry.putAll(sources)) {
      PublishReport report = result.report();
      if (report != null) {
        put++;
        published += report.published();
        report.quarantined().forEach(tool -> refused.merge(tool.code(), 1, Integer::sum));
      } else {
        refused.merge("source " + result.source() + ": " + reason(result), 1, Integer::sum);
      }
    }
    return new Loaded(
        files.size(), put, published, refused, Duration.ofNanos(System.nanoTime() - start));
  }

  private static String reason(PublishResult result) {
    return result.failure() instanceof ToolcribException refusal
        ? refusal.code()
        : String.valueOf(result.failure());
  }

  private ToolSource source(String name, String stem, byte[] tools) {
    return ToolSource.named(ownSources.contains(name) ? stem + "-" + name : name)
        .tags(Role.EXTERNAL_TAG)
        .exposure(Exposure.DEFERRED)
        .toolsList(tools)
        .build();
  }

  private static List<Path> files(List<Path> paths) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path path : paths) {
      if (Files.isDirectory(path)) {
        try (Stream<Path> children = Files.list(path)) {
          children.filter(f -> f.toString().matches(".*" + SUFFIX)).sorted().forEach(files::add);
        }
      } else {
        files.add(path);
      }
    }
    return files;
  }

  private static Map<String, ByteArrayOutputStream> byServer(
      Path file, String otherwise, Map<String, Integer> refused) throws IOException {
    Map<String, ByteArrayOutputStream> servers = new LinkedHashMap<>();
    try (InputStream in = open(file)) {
      if (file.toString().matches("(?i).*\\.json(\\.gz)?$")) {
        tools(JSON.readTree(in)).forEach(tool -> add(tool, otherwise, servers));
        return servers;
      }
      BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isBlank()) {
          try {
            tools(JSON.readTree(line)).forEach(tool -> add(tool, otherwise, servers));
          } catch (JacksonException e) {
            refused.merge("unreadable line", 1, Integer::sum);
          }
        }
      }
    }
    return servers;
  }

  /** The tools of a list, of the JSON-RPC response around one, of an array, or a single tool. */
  private static Iterable<JsonNode> tools(JsonNode root) {
    JsonNode list = root.has("result") ? root.get("result") : root;
    JsonNode tools = list.path("tools");
    return tools.isArray() ? tools : list.isArray() ? list : List.of(list);
  }

  private static void add(
      JsonNode tool, String otherwise, Map<String, ByteArrayOutputStream> servers) {
    if (tool instanceof ObjectNode fields
        && fields.path("category").asString("").length() > LONGEST_CATEGORY) {
      fields.remove("category");
    }
    String server = tool.path("server").asString(otherwise);
    ByteArrayOutputStream list =
        servers.computeIfAbsent(
            server.isBlank() ? otherwise : server, name -> new ByteArrayOutputStream());
    list.writeBytes(tool.toString().getBytes(StandardCharsets.UTF_8));
    list.write('\n');
  }

  private static InputStream open(Path file) throws IOException {
    InputStream in = new BufferedInputStream(Files.newInputStream(file));
    return file.toString().endsWith(".gz") ? new GZIPInputStream(in, 1 << 16) : in;
  }
}
