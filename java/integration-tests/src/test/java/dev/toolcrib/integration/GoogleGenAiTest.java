package dev.toolcrib.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.genai.types.FunctionDeclaration;
import com.google.genai.types.Tool;
import dev.toolcrib.Endpoint;
import dev.toolcrib.Target;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Google's SDK reads our tools into its own types and writes them as they were. */
class GoogleGenAiTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest
  @EnumSource(
      value = Target.class,
      names = {"GEMINI_PARAMETERS", "GEMINI_JSON_SCHEMA"})
  void our_tools_go_through_the_types_of_the_sdk(Target target) throws IOException {
    for (JsonNode tools : HardTools.rendered(Endpoint.ofProvider(target))) {
      for (JsonNode given : tools) {
        Tool tool = Tool.fromJson(given.toString());
        List<FunctionDeclaration> typed = tool.functionDeclarations().orElseThrow();
        assertThat(typed).hasSize(given.path("functionDeclarations").size());
        for (int at = 0; at < typed.size(); at++) {
          JsonNode declaration = given.path("functionDeclarations").path(at);
          FunctionDeclaration function = typed.get(at);
          assertThat(function.name()).contains(declaration.path("name").asText());
          assertThat(function.parameters().isPresent()).isEqualTo(declaration.has("parameters"));
          assertThat(function.parametersJsonSchema().isPresent())
              .isEqualTo(declaration.has("parametersJsonSchema"));
        }
        JsonNode written = JSON.readTree(tool.toJson());
        assertThat(meaning(written, target)).isEqualTo(meaning(given, target));
      }
    }
  }

  private static Object meaning(JsonNode tool, Target target) {
    // Under parameters types are an enumeration; under parametersJsonSchema all is left as it is.
    boolean typed = target == Target.GEMINI_PARAMETERS;
    return HardTools.meaning(typed ? HardTools.withTypesInCapitals(tool) : tool);
  }
}
