package dev.toolcrib.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.anthropic.core.ObjectMappers;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.Tool;
import com.anthropic.models.messages.ToolUnion;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.toolcrib.Endpoint;
import dev.toolcrib.Target;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Anthropic's SDK reads our tools into its own types and writes them as they were. */
class AnthropicTest {

  private static final ObjectMapper JSON = ObjectMappers.jsonMapper();

  @ParameterizedTest(name = "strict {0}")
  @ValueSource(booleans = {false, true})
  void a_request_with_our_tools_goes_through_the_types_of_the_sdk(boolean strict)
      throws IOException {
    Endpoint endpoint = Endpoint.ofProvider(Target.ANTHROPIC_MESSAGES).withStrict(strict);
    for (JsonNode tools : HardTools.rendered(endpoint)) {
      ObjectNode request = JSON.createObjectNode().put("model", "claude").put("max_tokens", 1024);
      request.putArray("messages").addObject().put("role", "user").put("content", "Hello");
      request.set("tools", tools);
      MessageCreateParams.Body body = JSON.treeToValue(request, MessageCreateParams.Body.class);
      body.validate();
      assertThat(body._additionalProperties()).isEmpty();
      List<ToolUnion> typed = body.tools().orElseThrow();
      assertThat(typed).hasSize(tools.size());
      for (int at = 0; at < typed.size(); at++) {
        check(typed.get(at).asTool(), tools.path(at));
      }
      JsonNode written = JSON.readTree(JSON.writeValueAsString(body));
      assertThat(HardTools.meaning(written)).isEqualTo(HardTools.meaning(request));
    }
  }

  private static void check(Tool typed, JsonNode tool) {
    assertThat(typed._additionalProperties()).isEmpty();
    assertThat(typed.name()).isEqualTo(tool.path("name").asText());
    assertThat(typed.description().orElse("")).isEqualTo(tool.path("description").asText());
    assertThat(typed.strict().orElse(false)).isEqualTo(tool.path("strict").asBoolean());
    assertThat(typed.deferLoading().orElse(false))
        .isEqualTo(tool.path("defer_loading").asBoolean());
    assertThat(typed.cacheControl().isPresent()).isEqualTo(tool.has("cache_control"));
    Tool.InputSchema schema = typed.inputSchema();
    JsonNode given = tool.path("input_schema");
    assertThat(schema.properties().isPresent()).isEqualTo(given.has("properties"));
    assertThat(schema.required().orElse(List.of())).hasSize(given.path("required").size());
    assertThat(schema._additionalProperties()).doesNotContainKeys("type", "properties", "required");
  }
}
