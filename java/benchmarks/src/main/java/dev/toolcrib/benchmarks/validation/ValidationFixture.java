package dev.toolcrib.benchmarks.validation;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import dev.toolcrib.CallRequest;
import dev.toolcrib.Internals;
import dev.toolcrib.Limit;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSession;
import dev.toolcrib.benchmarks.data.Arguments;
import dev.toolcrib.benchmarks.data.Catalogue;
import dev.toolcrib.benchmarks.data.Crib;
import dev.toolcrib.benchmarks.data.Json;
import dev.toolcrib.benchmarks.data.Latest;
import dev.toolcrib.benchmarks.data.SharedData;
import dev.toolcrib.benchmarks.data.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Tools with a valid and an invalid object of arguments each, for which both validators have the
 * same verdict.
 */
final class ValidationFixture implements AutoCloseable {

  /** How many tools there are. */
  static final int TOOLS = 16;

  private static final int CANDIDATES = 600;

  /** A tool's arguments as text, as a model gives them, and its schema. */
  record Sample(String name, String schemaText, Schema schema, String valid, String invalid) {}

  private static final Latest<String, ValidationFixture> LATEST =
      new Latest<>(ValidationFixture::new);

  final List<Sample> samples;
  final ToolSession session;

  /** One whose registry keeps no compiled validator but the last. */
  final ToolSession forgetful;

  private final List<ToolRegistry> open = new ArrayList<>();

  private ValidationFixture(String catalogue) {
    List<Tool> candidates = candidates(catalogue);
    ToolRegistry crib = crib(candidates, candidates.size());
    session = crib.session(Crib.CALLER).open();
    forgetful = crib(candidates, 1).session(Crib.CALLER).open();
    Map<String, String> names = Crib.names(crib);
    SchemaRegistry registry = registry();
    List<Sample> agreed =
        candidates.stream()
            .filter(tool -> names.containsKey(tool.key()))
            .map(tool -> sample(registry, names.get(tool.key()), tool))
            .filter(this::sameVerdict)
            .toList();
    samples = SharedData.spread(agreed, TOOLS);
    if (samples.size() < TOOLS) {
      throw new IllegalStateException("the two agree on %d tools only".formatted(samples.size()));
    }
  }

  static ValidationFixture of(String catalogue) {
    return LATEST.of(catalogue);
  }

  static void free() {
    LATEST.close();
  }

  /** Reads schemas as ours does: the draft that they name, 2020-12 without, formats checked. */
  static SchemaRegistry registry() {
    return SchemaRegistry.withDefaultDialect(
        SpecificationVersion.DRAFT_2020_12,
        builder ->
            builder.schemaRegistryConfig(
                SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build()));
  }

  private static List<Tool> candidates(String catalogue) {
    Stream<Tool> tools = Catalogue.tools(catalogue, CANDIDATES).stream();
    if (catalogue.equals("real")) {
      List<Tool> hard = SharedData.find().orElseThrow().hardSchemas();
      tools = Stream.concat(tools, hard.stream());
    }
    return tools.filter(tool -> tool.inputSchema().contains("\"required\":[\"")).toList();
  }

  private static Sample sample(SchemaRegistry registry, String name, Tool tool) {
    try {
      return new Sample(
          name,
          tool.inputSchema(),
          registry.getSchema(Json.MAPPER.readTree(tool.inputSchema())),
          Arguments.valid(tool.inputSchema()).toString(),
          Arguments.invalid(tool.inputSchema()).toString());
    } catch (RuntimeException e) {
      return new Sample(name, "", null, "", "");
    }
  }

  private boolean sameVerdict(Sample sample) {
    try {
      return sample.schema != null
          && sample.schema.validate(Json.MAPPER.readTree(sample.valid)).isEmpty()
          && !sample.schema.validate(Json.MAPPER.readTree(sample.invalid)).isEmpty()
          && ready(sample, sample.valid)
          && !ready(sample, sample.invalid);
    } catch (RuntimeException e) {
      // Schemas that the other cannot compile.
      return false;
    }
  }

  private boolean ready(Sample sample, String arguments) {
    return Internals.isReady(Internals.prepare(session, request(sample.name, arguments)));
  }

  static CallRequest request(String name, String arguments) {
    return CallRequest.of(name, arguments).withCallId("call").allowingInactive();
  }

  private ToolRegistry crib(List<Tool> tools, long validators) {
    ToolRegistry registry =
        Crib.registry(
            tools,
            caller -> ToolSelection.all(),
            builder -> builder.limit(Limit.VALIDATOR_CACHE, validators));
    open.add(registry);
    return registry;
  }

  @Override
  public void close() {
    session.close();
    forgetful.close();
    for (ToolRegistry closeable : open) {
      closeable.close();
    }
  }
}
