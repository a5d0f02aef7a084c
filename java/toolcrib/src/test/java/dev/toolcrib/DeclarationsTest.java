package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Plays {@code tests/vectors/declarations.json} and {@code schema.json}: one tool, published,
 * rendered for an endpoint and called as its model would call it.
 */
class DeclarationsTest {

  private static final String STRICT = " strict";

  /** Every target, and the strict forms of Anthropic, Claude on Bedrock and OpenAI's two. */
  private static final int FORMS = Target.values().length + 4;

  @TestFactory
  List<DynamicTest> every_row_of_the_matrix_is_declared_as_recorded() {
    List<DynamicTest> tests = new ArrayList<>();
    for (JsonNode row : Vectors.read("declarations.json")) {
      tests.add(DynamicTest.dynamicTest(row.path("row").asString(), () -> declare(row)));
    }
    assertThat(tests).hasSizeGreaterThan(50);
    return tests;
  }

  @TestFactory
  List<DynamicTest> every_draft_is_read_as_recorded() {
    List<DynamicTest> tests = new ArrayList<>();
    for (JsonNode row : Vectors.read("schema.json")) {
      tests.add(DynamicTest.dynamicTest(row.path("row").asString(), () -> read(row)));
    }
    assertThat(tests).isNotEmpty();
    return tests;
  }

  private static void declare(JsonNode row) {
    try (Crib crib = new Crib(row)) {
      int played = 0;
      for (JsonNode expected : row.path("declarations")) {
        for (String label : Vectors.texts(expected.path("targets"))) {
          crib.compare(endpoint(label), expected);
          played++;
        }
      }
      assertThat(played).as("forms").isEqualTo(FORMS);
      for (JsonNode back : row.path("back")) {
        crib.call(back);
      }
    }
  }

  /** The id of a target, with {@code strict} behind it where that is asked for. */
  private static Endpoint endpoint(String label) {
    boolean strict = label.endsWith(STRICT);
    String target = strict ? label.substring(0, label.length() - STRICT.length()) : label;
    return Endpoint.of(Target.ofId(target)).withStrict(strict);
  }

  /** MCP takes every keyword, so it shows the canonical schema; the root is always an object. */
  private static void read(JsonNode row) {
    try (Crib crib = new Crib(row)) {
      JsonNode element = crib.element(crib.session.render(Target.MCP));
      assertThat(element.path("inputSchema").toString()).isEqualTo(row.path("declared").toString());
    }
  }

  /** A registry of one tool, as a row describes it. */
  private static final class Crib implements AutoCloseable {
    private final String name;
    private final String description;
    private final ToolRegistry registry =
        ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build();
    final ToolSession session;

    Crib(JsonNode row) {
      name = row.path("name").asString("a_tool");
      description = row.path("description").asString("Does it.");
      ObjectNode tool = Vectors.JSON.createObjectNode();
      tool.put("name", name).put("description", description);
      tool.set("inputSchema", row.path("schema"));
      if (row.has("outputSchema")) {
        tool.set("outputSchema", row.path("outputSchema"));
      }
      ObjectNode list = Vectors.JSON.createObjectNode();
      list.putArray("tools").add(tool);
      ToolSource source =
          ToolSource.named("vectors")
              .naming(Naming.PLAIN)
              .exposure(Exposure.DIRECT)
              .toolsList(list.toString())
              .executor(ToolExecutor.blocking(call -> ToolResult.json(call.arguments())))
              .build();
      assertThat(registry.put(source).quarantined()).isEmpty();
      session = registry.session(Tools.ANN).open();
    }

    void compare(Endpoint endpoint, JsonNode expected) {
      RenderedTools rendered = session.render(endpoint);
      JsonNode element = element(rendered);
      JsonNode envelope = element.path("function");
      if (envelope.isMissingNode()) {
        envelope = element.path("toolSpec").isMissingNode() ? element : element.path("toolSpec");
      }
      assertThat(schema(envelope).toString())
          .as("%s", endpoint)
          .isEqualTo(text(expected, "schema"));
      assertThat(envelope.path("strict").asBoolean(false))
          .as("%s", endpoint)
          .isEqualTo(expected.path("strict").asBoolean());
      assertThat(envelope.path("name").asString()).isEqualTo(expected.path("name").asString(name));
      JsonNode described = expected.path("description");
      if (described.isNull()) {
        assertThat(envelope.has("description")).as("%s", endpoint).isFalse();
      } else {
        assertThat(envelope.path("description").asString())
            .as("%s", endpoint)
            .isEqualTo(described.asString(description));
      }
      assertThat(envelope.path("outputSchema").toString())
          .isEqualTo(text(expected, "outputSchema"));
      assertThat(notes(rendered)).as("%s", endpoint).isEqualTo(notes(expected));
    }

    void call(JsonNode back) {
      CallRequest request =
          CallRequest.of(name, back.path("given").toString())
              .withEndpoint(endpoint(back.path("target").asString()));
      CallResult result = session.call(request).join();
      if (back.path("arguments").isObject()) {
        assertThat(result).as("%s", result.text()).isInstanceOf(CallResult.Completed.class);
        assertThat(result.text()).isEqualTo(back.path("arguments").toString());
      } else {
        // No tool takes anything else, so it ends here; that it was unwrapped, cargo test sees.
        assertThat(result).isInstanceOf(CallResult.InvalidArguments.class);
      }
    }

    JsonNode element(RenderedTools rendered) {
      JsonNode tools = Vectors.JSON.readTree(rendered.json());
      if (rendered.target() == Target.GEMINI_PARAMETERS
          || rendered.target() == Target.GEMINI_JSON_SCHEMA) {
        tools = tools.path(0).path("functionDeclarations");
      } else if (tools.isObject()) {
        tools = tools.path("tools");
      }
      return tools.path(0);
    }

    private static JsonNode schema(JsonNode envelope) {
      for (String key : List.of("input_schema", "parameters", "parametersJsonSchema")) {
        if (envelope.has(key)) {
          return envelope.path(key);
        }
      }
      JsonNode schema = envelope.path("inputSchema");
      schema = schema.has("json") ? schema.path("json") : schema;
      // The one target that wants no schema for a tool without parameters.
      return schema.isMissingNode()
          ? Vectors.JSON.createObjectNode().put("type", "object")
          : schema;
    }

    private static String text(JsonNode of, String key) {
      return of.path(key).toString();
    }

    private List<String> notes(RenderedTools rendered) {
      return rendered.notes().stream().map(RenderedTools.Note::text).toList();
    }

    private static List<String> notes(JsonNode expected) {
      List<String> notes = new ArrayList<>();
      for (JsonNode note : expected.path("notes")) {
        notes.add(
            "#%s: %s: %s"
                .formatted(
                    note.path(0).asString(), note.path(1).asString(), note.path(2).asString()));
      }
      return notes;
    }

    @Override
    public void close() {
      session.close();
      registry.close();
    }
  }
}
