package dev.toolcrib;

import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The golden cases that cargo test runs too, and JSON for tests. */
final class Vectors {

  static final JsonMapper JSON = new JsonMapper();

  private Vectors() {}

  static JsonNode read(String name) {
    return JSON.readTree(directory().resolve(name).toFile());
  }

  static List<Path> files(String folder) throws Exception {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> all =
        Files.newDirectoryStream(directory().resolve(folder), "*.json")) {
      all.forEach(files::add);
    }
    files.sort(null);
    return files;
  }

  static Path directory() {
    return Path.of(System.getProperty("vectors.directory", "../../tests/vectors"));
  }

  static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(text -> texts.add(text.asString()));
    return texts;
  }

  static ToolSource source(JsonNode of) {
    return source(of, ToolExecutor.blocking(Vectors::echo));
  }

  static ToolSource source(JsonNode of, ToolExecutor executor) {
    ToolSource.Builder source =
        ToolSource.named(of.path("name").asString(""))
            .description(of.path("description").asString(""))
            .instructions(of.path("instructions").asString(""))
            .naming(naming(of))
            .tags(texts(of.path("tags")))
            .toolsList(of.path("tools").toString())
            .executor(executor);
    if (of.path("domain").isString()) {
      source.domain(of.path("domain").asString());
    }
    if (of.has("exposure")) {
      source.exposure(exposure(of.path("exposure")));
    }
    of.path("toolExposure")
        .properties()
        .forEach(rule -> source.exposure(rule.getKey(), exposure(rule.getValue())));
    return source.build();
  }

  static Naming naming(JsonNode of) {
    String naming = of.path("naming").asString("namespaced");
    return Naming.valueOf(naming.toUpperCase(java.util.Locale.ROOT));
  }

  /** A source that is to come, and that nobody tries. */
  static ExpectedSource expected(JsonNode of) {
    Set<Exposure> exposures = EnumSet.noneOf(Exposure.class);
    of.path("exposures").forEach(word -> exposures.add(exposure(word)));
    return new ExpectedSource(
        of.path("name").asString(),
        exposures,
        of.path("domain").isString() ? of.path("domain").asString() : null,
        Set.copyOf(texts(of.path("tags"))),
        new CompletableFuture<>());
  }

  /** An endpoint: a target, or an object that says more. */
  static Endpoint endpoint(JsonNode of) {
    JsonNode more = of.path("endpoint");
    if (more.isMissingNode()) {
      return Endpoint.of(Target.ofId(of.path("target").asString()));
    }
    Target target = Target.ofId(more.path("target").asString());
    Endpoint endpoint =
        more.path("provider").asBoolean(false) ? Endpoint.ofProvider(target) : Endpoint.of(target);
    if (more.has("activation")) {
      endpoint = endpoint.withActivation(Activation.ofId(more.path("activation").asString()));
    }
    if (more.has("strict")) {
      endpoint = endpoint.withStrict(more.path("strict").asBoolean());
    }
    if (more.has("searchRenamed")) {
      endpoint = endpoint.withSearchRenamed(more.path("searchRenamed").asBoolean());
    }
    if (more.has("maxTools")) {
      endpoint =
          endpoint.withBudget(
              Endpoint.Budget.UNLIMITED.withMaxTools(more.path("maxTools").asInt()));
    }
    return endpoint;
  }

  /** Answers what the tool was given, so that a call shows what reached it. */
  private static ToolResult echo(ToolCall call) {
    return ToolResult.json(
        JSON.createObjectNode()
            .put("outcome", "ready")
            .put("tool", call.tool().name())
            .put("arguments", call.arguments())
            .toString());
  }

  static ToolSelection selection(JsonNode of) {
    if (of.isString()) {
      return of.asString().equals("all") ? ToolSelection.all() : ToolSelection.none();
    }
    var only = of.properties().iterator().next();
    JsonNode value = only.getValue();
    return switch (only.getKey()) {
      case "names" -> ToolSelection.names(texts(value));
      case "source" -> ToolSelection.sources(value.asString());
      case "domain" -> ToolSelection.domains(value.asString());
      case "tag" -> ToolSelection.tags(value.asString());
      case "exposure" -> ToolSelection.exposure(exposure(value));
      case "and" -> parts(value).reduce(ToolSelection.all(), ToolSelection::and);
      case "or" -> parts(value).reduce(ToolSelection.none(), ToolSelection::or);
      case "not" -> selection(value).not();
      default -> throw new IllegalArgumentException("no selection: " + of);
    };
  }

  private static java.util.stream.Stream<ToolSelection> parts(JsonNode list) {
    List<ToolSelection> parts = new ArrayList<>();
    list.forEach(part -> parts.add(selection(part)));
    return parts.stream();
  }

  private static Exposure exposure(JsonNode word) {
    return Exposure.valueOf(word.asString().toUpperCase(java.util.Locale.ROOT));
  }
}
