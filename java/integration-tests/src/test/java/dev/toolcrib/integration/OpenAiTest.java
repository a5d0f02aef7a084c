package dev.toolcrib.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.openai.core.ObjectMappers;
import com.openai.models.FunctionDefinition;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionTool;
import com.openai.models.responses.FunctionTool;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.Tool;
import dev.toolcrib.Endpoint;
import dev.toolcrib.Target;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** OpenAI's SDK reads our tools into its own types and writes them as they were. */
class OpenAiTest {

  private static final ObjectMapper JSON = ObjectMappers.jsonMapper();

  @ParameterizedTest(name = "strict {0}")
  @ValueSource(booleans = {false, true})
  void a_responses_request_with_our_tools_goes_through_the_types_of_the_sdk(boolean strict)
      throws IOException {
    Endpoint endpoint = Endpoint.ofProvider(Target.OPENAI_RESPONSES).withStrict(strict);
    for (JsonNode tools : HardTools.rendered(endpoint)) {
      ObjectNode request = JSON.createObjectNode().put("model", "gpt-4o").put("input", "Hello");
      request.set("tools", tools);
      ResponseCreateParams.Body body = JSON.treeToValue(request, ResponseCreateParams.Body.class);
      body.validate();
      List<Tool> typed = body.tools().orElseThrow();
      assertThat(typed).hasSize(tools.size());
      for (int at = 0; at < typed.size(); at++) {
        JsonNode given = tools.path(at);
        if (typed.get(at).isSearch()) {
          assertThat(typed.get(at).asSearch().description().orElse(""))
              .isEqualTo(given.path("description").asText());
          continue;
        }
        FunctionTool tool = typed.get(at).asFunction();
        assertThat(tool.name()).isEqualTo(given.path("name").asText());
        assertThat(tool.description().orElse("")).isEqualTo(given.path("description").asText());
        assertThat(tool.strict()).contains(given.path("strict").asBoolean());
        assertThat(tool.deferLoading().orElse(false))
            .isEqualTo(given.path("defer_loading").asBoolean());
        assertThat(tool.parameters()).isPresent();
      }
      JsonNode written = JSON.readTree(JSON.writeValueAsString(body));
      assertThat(HardTools.meaning(written)).isEqualTo(HardTools.meaning(request));
    }
  }

  @ParameterizedTest(name = "strict {0}")
  @ValueSource(booleans = {false, true})
  void a_chat_request_with_our_tools_goes_through_the_types_of_the_sdk(boolean strict)
      throws IOException {
    Endpoint endpoint = Endpoint.ofProvider(Target.OPENAI_CHAT).withStrict(strict);
    for (JsonNode tools : HardTools.rendered(endpoint)) {
      ObjectNode request = JSON.createObjectNode().put("model", "gpt-4o");
      request.putArray("messages").addObject().put("role", "user").put("content", "Hello");
      request.set("tools", tools);
      ChatCompletionCreateParams.Body body =
          JSON.treeToValue(request, ChatCompletionCreateParams.Body.class);
      body.validate();
      List<ChatCompletionTool> typed = body.tools().orElseThrow();
      assertThat(typed).hasSize(tools.size());
      for (int at = 0; at < typed.size(); at++) {
        FunctionDefinition function = typed.get(at).asFunction().function();
        JsonNode given = tools.path(at).path("function");
        assertThat(function.name()).isEqualTo(given.path("name").asText());
        assertThat(function.description().orElse("")).isEqualTo(given.path("description").asText());
        assertThat(function.strict()).contains(given.path("strict").asBoolean());
        assertThat(function.parameters()).isPresent();
      }
      JsonNode written = JSON.readTree(JSON.writeValueAsString(body));
      assertThat(HardTools.meaning(written)).isEqualTo(HardTools.meaning(request));
    }
  }
}
