package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/** Plays {@code tests/vectors/names.json}: what a published tool is called. */
class NamesTest {

  @TestFactory
  List<DynamicTest> published_names_are_the_recorded_ones() {
    List<DynamicTest> tests = new ArrayList<>();
    for (JsonNode of : Vectors.read("names.json")) {
      String name = of.path("name").asString();
      tests.add(DynamicTest.dynamicTest(name, () -> assertThat(published(of)).isEqualTo(name)));
    }
    assertThat(tests).isNotEmpty();
    return tests;
  }

  private static String published(JsonNode of) {
    ToolSource source =
        ToolSource.named(of.path("source").asString())
            .naming(Vectors.naming(of))
            .tool(ToolDefinition.named(of.path("tool").asString()).build())
            .build();
    try (ToolRegistry registry =
        ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build()) {
      assertThat(registry.put(source).quarantined()).isEmpty();
      return registry.list(Tools.ANN, null, 1).tools().get(0).tool().name();
    }
  }
}
