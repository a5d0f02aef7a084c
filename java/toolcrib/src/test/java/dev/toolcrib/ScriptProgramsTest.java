package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/** The programs that cargo test runs too, here through the bridge and the pipeline of calls. */
class ScriptProgramsTest {

  private static final JsonNode VECTOR = Vectors.read("scripts.json");

  @TestFactory
  Stream<DynamicTest> everyProgramReturnsWhatIsRecorded() {
    List<DynamicTest> programs = new ArrayList<>();
    for (JsonNode program : VECTOR.path("programs")) {
      programs.add(DynamicTest.dynamicTest(program.path("about").asString(), () -> run(program)));
    }
    return programs.stream();
  }

  private static void run(JsonNode program) {
    try (ToolRegistry registry = registry();
        ToolSession session = registry.session(Tools.ANN).open()) {
      ScriptResult result =
          session
              .runScript(program.path("code").asString(), ScriptOptions.defaults())
              .toCompletableFuture()
              .join();
      if (program.has("failure")) {
        JsonNode failure = program.path("failure");
        assertThat(result.failure())
            .isEqualTo(
                new ScriptResult.Failure(
                    ScriptResult.Kind.valueOf(
                        failure.path("kind").asString().toUpperCase(Locale.ROOT)),
                    failure.path("message").asString()));
      } else {
        assertThat(result.failure()).isNull();
        assertThat(Vectors.JSON.readTree(result.value())).isEqualTo(program.path("value"));
      }
    }
  }

  private static ToolRegistry registry() {
    ToolSelection rights = Vectors.selection(VECTOR.path("rights"));
    ToolRegistry registry = ToolRegistry.builder().authorizer(caller -> rights).build();
    for (JsonNode source : VECTOR.path("sources")) {
      registry.put(Vectors.source(source, ToolExecutor.blocking(ScriptProgramsTest::answer)));
    }
    return registry;
  }

  private static ToolResult answer(ToolCall call) {
    JsonNode answer = VECTOR.path("answers").path(call.tool().name());
    return answer.isString()
        ? ToolResult.error(answer.asString())
        : ToolResult.json(answer.toString());
  }
}
