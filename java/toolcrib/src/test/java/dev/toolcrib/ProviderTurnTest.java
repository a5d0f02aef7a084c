package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/** Whole turns: tools out, the provider's answer in, its calls made, their answers out. */
class ProviderTurnTest {

  /** A provider's words for a call: id, name, arguments as JSON. */
  private interface Words {
    String answer(String id, String name, String arguments);
  }

  private static final Words ANTHROPIC =
      (id, name, arguments) ->
          """
          {"role":"assistant","content":[{"type":"thinking","thinking":"…","signature":"s"},
           {"type":"tool_use","id":"%s","name":"%s","input":%s}]}\
          """
              .formatted(id, name, arguments);
  private static final Words RESPONSES =
      (id, name, arguments) ->
          name.equals("tool_search")
              ? """
              {"output":[{"type":"tool_search_call","execution":"client","call_id":"%s",
               "arguments":%s}]}\
              """
                  .formatted(id, arguments)
              : functionCall(id, name, arguments);
  private static final Words CHAT =
      (id, name, arguments) ->
          """
          {"choices":[{"message":{"role":"assistant","tool_calls":[{"id":"%s","type":"function",
           "function":{"name":"%s","arguments":%s}}]}}]}\
          """
              .formatted(id, name, quoted(arguments));
  private static final Words GEMINI =
      (id, name, arguments) ->
          """
          {"candidates":[{"content":{"role":"model","parts":[{"thoughtSignature":"s",
           "functionCall":{"name":"%s","args":%s}}]}}]}\
          """
              .formatted(name, arguments);
  private static final Words BEDROCK =
      (id, name, arguments) ->
          """
          {"output":{"message":{"role":"assistant","content":[
           {"toolUse":{"toolUseId":"%s","name":"%s","input":%s}}]}}}\
          """
              .formatted(id, name, arguments);
  private static final Words META =
      (id, name, arguments) ->
          name.equals("tool_search")
              ? CHAT.answer(id, name, arguments)
              : CHAT.answer(
                  id, "call_tool", "{\"name\":\"%s\",\"arguments\":%s}".formatted(name, arguments));

  private static final String SEARCH = "{\"query\":\"Cancel an order of the shop\",\"limit\":1}";
  private static final String CANCEL_SCHEMA =
      """
      {"type":"object","properties":{"order no":{"type":"string","pattern":"^SO-[0-9]+$"},
       "reason":{"type":"string"}},"required":["order no"]}
      """;

  private final Tools.Rights rights = new Tools.Rights();
  private final List<String> executed = new ArrayList<>();
  private ToolRegistry registry;
  private ToolSession session;

  @BeforeEach
  void open() {
    registry = ToolRegistry.builder().authorizer(rights).build();
    registry.put(
        ToolSource.named("orders")
            .naming(Naming.PLAIN)
            .exposure(Exposure.DEFERRED)
            .tool(
                ToolDefinition.named("cancel_order")
                    .description("Cancel an order of the shop.")
                    .inputSchema(CANCEL_SCHEMA)
                    .build(),
                ToolExecutor.blocking(
                    call -> {
                      executed.add(call.arguments());
                      return ToolResult.text("cancelled");
                    }))
            .build());
    session = registry.session(Tools.ANN).open();
  }

  @AfterEach
  void close() {
    session.close();
    registry.close();
  }

  @TestFactory
  List<DynamicTest> a_tool_is_found_called_and_answered_at_every_provider() {
    Endpoint responses = Endpoint.of(Target.OPENAI_RESPONSES);
    Map<Endpoint, Words> providers =
        Map.ofEntries(
            Map.entry(Endpoint.ofProvider(Target.ANTHROPIC_MESSAGES), ANTHROPIC),
            Map.entry(Endpoint.of(Target.ANTHROPIC_MESSAGES).withStrict(true), ANTHROPIC),
            Map.entry(Endpoint.ofProvider(Target.OPENAI_RESPONSES), RESPONSES),
            Map.entry(
                responses.withActivation(Activation.OPENAI_ADDITIONAL_TOOLS).withStrict(true),
                ProviderTurnTest::functionCall),
            Map.entry(responses, ProviderTurnTest::functionCall),
            Map.entry(Endpoint.of(Target.OPENAI_CHAT).withStrict(true), CHAT),
            Map.entry(Endpoint.of(Target.GEMINI_PARAMETERS), GEMINI),
            Map.entry(Endpoint.of(Target.GEMINI_JSON_SCHEMA), GEMINI),
            Map.entry(Endpoint.ofProvider(Target.BEDROCK_CLAUDE), BEDROCK),
            Map.entry(Endpoint.of(Target.MISTRAL), CHAT),
            Map.entry(Endpoint.of(Target.COMPATIBLE), CHAT),
            Map.entry(Endpoint.of(Target.COMPATIBLE).withActivation(Activation.META_TOOL), META));
    return providers.entrySet().stream()
        .map(of -> DynamicTest.dynamicTest(of.getKey().toString(), () -> play(of)))
        .toList();
  }

  private void play(Map.Entry<Endpoint, Words> provider) {
    Endpoint endpoint = provider.getKey();
    Words words = provider.getValue();
    executed.clear();
    try (ToolSession session = registry.session(Tools.ANN).open()) {
      String first = session.render(endpoint).json();
      assertThat(first).contains("tool_search").doesNotContain("cancel_order");

      String found = turn(session, endpoint, words.answer("call00001", "tool_search", SEARCH));
      String second = session.render(endpoint).json();
      // Wherever it stands, the model has it before it now.
      assertThat(found).contains("cancel_order");
      assertThat(found + second).contains("reason");

      String name = declaredKey(found + second);
      String arguments = "{\"%s\":\"SO-1042\"}".formatted(name);
      String answered =
          turn(session, endpoint, words.answer("call00002", "cancel_order", arguments));
      assertThat(executed).containsExactly("{\"order no\":\"SO-1042\"}");
      assertThat(answered).contains("cancelled").doesNotContain("rror");
      assertThat(session.render(endpoint).json()).isEqualTo(second);

      String wrong =
          turn(
              session,
              endpoint,
              words.answer("call00003", "cancel_order", "{\"reason\":\"none\"}"));
      assertThat(wrong).contains("is missing");
      assertThat(executed).hasSize(1);

      rights.selection.set(ToolSelection.none());
      String refused =
          turn(session, endpoint, words.answer("call00004", "cancel_order", arguments));
      assertThat(refused).contains("You have no tool named");
      assertThat(session.render(endpoint).json()).doesNotContain("of the shop.");
      assertThat(executed).hasSize(1);
    } finally {
      rights.selection.set(ToolSelection.all());
    }
  }

  /** Makes every call of an answer and gives what goes into the history, joined. */
  private static String turn(ToolSession session, Endpoint endpoint, String answer) {
    List<ModelCall> calls = session.decodeCalls(endpoint, answer);
    assertThat(calls).hasSize(1);
    List<AnsweredCall> turn = new ArrayList<>();
    for (ModelCall call : calls) {
      turn.add(call.answer(session.call(call.request()).join()));
    }
    List<String> messages = session.encodeResults(endpoint, turn);
    messages.forEach(message -> assertThat(Vectors.JSON.readTree(message).isObject()).isTrue());
    return String.join("\n", messages);
  }

  @Test
  void all_answers_of_a_turn_go_together_in_the_order_of_the_calls() {
    Endpoint endpoint = Endpoint.ofProvider(Target.ANTHROPIC_MESSAGES);
    List<ModelCall> calls =
        session.decodeCalls(
            endpoint,
            """
            [{"type":"tool_use","id":"toolu_1","name":"tool_search","input":%s},
             {"type":"tool_use","id":"toolu_2","name":"cancel_order","input":{"order_no":"SO-1"}},
             {"type":"server_tool_use","id":"srvtoolu_3","name":"web_search","input":{}},
             {"type":"tool_use","id":"toolu_4","name":"functions.cancel_order","input":{}}]\
            """
                .formatted(SEARCH));
    assertThat(calls).extracting(ModelCall::id).containsExactly("toolu_1", "toolu_2", "toolu_4");
    CallResult found = session.call(calls.get(0).request()).join();
    CallResult done = session.call(calls.get(1).request()).join();
    List<String> messages =
        session.encodeResults(
            endpoint,
            List.of(
                calls.get(0).answer(found),
                calls.get(1).answer(done).withImage(image()),
                calls.get(2).unanswered()));
    assertThat(messages).hasSize(1);
    JsonNode content = Vectors.JSON.readTree(messages.get(0)).path("content");
    assertThat(content.findValuesAsString("tool_use_id"))
        .containsExactly("toolu_1", "toolu_2", "toolu_4");
    assertThat(content.path(0).path("content").path(0).path("tool_name").asString())
        .isEqualTo("cancel_order");
    assertThat(content.path(1).path("content").path(1).path("source").path("data").asString())
        .isEqualTo("AQID");
    assertThat(content.path(1).has("is_error")).isFalse();
    assertThat(content.path(2).path("is_error").asBoolean()).isTrue();
  }

  @Test
  void a_provider_that_takes_no_image_in_a_result_gets_it_behind() {
    Endpoint endpoint = Endpoint.of(Target.OPENAI_CHAT);
    session.activate(List.of("cancel_order"), null);
    session.render(endpoint);
    ModelCall call =
        session
            .decodeCalls(endpoint, CHAT.answer("call_1", "cancel_order", "{\"order_no\":\"SO-1\"}"))
            .get(0);
    AnsweredCall answer = call.answer(session.call(call.request()).join()).withImage(image());
    List<String> messages = session.encodeResults(endpoint, List.of(answer));
    assertThat(messages).hasSize(2);
    assertThat(messages.get(0)).contains("\"tool_call_id\":\"call_1\"", "cancelled");
    assertThat(messages.get(1)).contains("\"role\":\"user\"", "data:image/png;base64,AQID");
  }

  @Test
  void what_is_lost_after_it_was_found_is_a_name_and_no_more() {
    Endpoint endpoint = Endpoint.ofProvider(Target.ANTHROPIC_MESSAGES);
    turn(session, endpoint, ANTHROPIC.answer("toolu_1", "tool_search", SEARCH));
    rights.selection.set(ToolSelection.none());
    RenderedTools rendered = session.render(endpoint);
    assertThat(rendered.toolNames()).isEmpty();
    assertThat(rendered.isEmpty()).isFalse();
    assertThat(rendered.withdrawn()).containsExactly("cancel_order");
    assertThat(rendered.json())
        .contains("\"name\":\"cancel_order\"")
        .doesNotContain("order_no", "Cancel an order");
    assertThat(session.render(Target.ANTHROPIC_MESSAGES).json()).doesNotContain("cancel_order");
  }

  @Test
  void notes_say_what_was_changed_where_and_to_what_effect() {
    session.activate(List.of("cancel_order"), null);
    RenderedTools rendered = session.render(Endpoint.of(Target.OPENAI_CHAT).withStrict(true));
    assertThat(rendered.notes())
        .anySatisfy(
            note -> {
              assertThat(note.tool()).isEqualTo("cancel_order");
              assertThat(note.pointer()).isEqualTo("/properties/order no");
              assertThat(note.effect()).isEqualTo(RenderedTools.Effect.REWRITTEN);
              assertThat(note.text()).startsWith("#/properties/order no: " + note.what());
            });
    assertThat(rendered.quarantined()).isEmpty();
    assertThat(rendered.endpoint().target()).isEqualTo(Target.OPENAI_CHAT);
  }

  @Test
  void a_budget_falls_back_tool_by_tool_and_says_so() {
    session.activate(List.of("cancel_order"), null);
    Endpoint none = Endpoint.of(Target.OPENAI_CHAT).withStrict(true);
    none = none.withBudget(new Endpoint.Budget(null, 0, null, null));
    RenderedTools plain = session.render(none);
    assertThat(plain.json()).doesNotContain("\"strict\":true");
    assertThat(plain.notes()).anyMatch(note -> note.why().contains("budget"));
    RenderedTools one =
        session.render(
            Endpoint.of(Target.OPENAI_CHAT).withBudget(Endpoint.Budget.UNLIMITED.withMaxTools(1)));
    assertThat(one.leftOut()).containsExactly("cancel_order");
    assertThat(one.toolNames()).containsExactly("tool_search");
  }

  @Test
  void an_answer_that_cannot_be_read_is_an_error_and_one_without_calls_is_empty() {
    Endpoint endpoint = Endpoint.of(Target.OPENAI_CHAT);
    assertThat(session.decodeCalls(endpoint, "{\"choices\":[]}")).isEmpty();
    assertThat(session.decodeCalls(endpoint, "null")).isEmpty();
    assertThatThrownBy(() -> session.decodeCalls(endpoint, "{"))
        .isInstanceOf(ToolcribException.class);
    assertThatThrownBy(() -> session.decodeCalls(endpoint, "[".repeat(100_000)))
        .isInstanceOf(ToolcribException.class);
    assertThatThrownBy(() -> session.decodeCalls(endpoint, new byte[] {'"', (byte) 0xC3, '"'}))
        .isInstanceOf(RuntimeException.class);
    assertThat(session.encodeResults(endpoint, List.of())).isEmpty();
    // What the model wrote wrong is its result.
    String cut = CHAT.answer("call_1", "tool_search", "{\"query\":\"ca");
    assertThat(turn(session, endpoint, cut)).contains("not valid JSON");
  }

  @Test
  void an_unchanged_session_gives_the_same_object_again() {
    Endpoint endpoint = Endpoint.of(Target.OPENAI_CHAT);
    RenderedTools first = session.render(endpoint);
    assertThat(session.render(endpoint)).isSameAs(first);
    RenderedTools other = session.render(Endpoint.of(Target.MISTRAL));
    assertThat(other.target()).isEqualTo(Target.MISTRAL);
    session.activate(List.of("cancel_order"), null);
    RenderedTools second = session.render(endpoint);
    assertThat(second.toolNames()).containsExactly("tool_search", "cancel_order");
    assertThat(session.render(endpoint)).isSameAs(second);
    try (ToolSession fork = session.fork()) {
      assertThat(fork.render(endpoint).json()).isEqualTo(second.json());
    }
    rights.selection.set(ToolSelection.none());
    assertThat(session.render(endpoint).isEmpty()).isTrue();
  }

  @Test
  void the_search_has_another_name_where_the_provider_keeps_its_own() {
    Endpoint endpoint = Endpoint.of(Target.COMPATIBLE).withSearchRenamed(true);
    assertThat(session.render(endpoint).json())
        .contains("\"name\":\"find_tools\"")
        .doesNotContain("tool_search");
    assertThat(turn(session, endpoint, CHAT.answer("call_1", "find_tools", SEARCH)))
        .contains("cancel_order");
    assertThat(turn(session, endpoint, CHAT.answer("call_2", "no_tool", "{}")))
        .contains("Use find_tools");
  }

  @Test
  void an_endpoint_takes_the_activations_of_its_format_and_no_others() {
    for (Target target : Target.values()) {
      for (Activation activation : Activation.values()) {
        UnaryOperator<Endpoint> with = endpoint -> endpoint.withActivation(activation);
        if (activation.suits(target)) {
          Endpoint endpoint = with.apply(Endpoint.of(target));
          assertThat(session.render(endpoint).toolNames()).startsWith("tool_search");
          assertThat(endpoint).isEqualTo(with.apply(Endpoint.of(target)));
          assertThat(endpoint).hasToString(target.id() + ", " + activation.id());
        } else {
          assertThatThrownBy(() -> with.apply(Endpoint.of(target)))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining(activation.id());
        }
      }
      assertThat(session.render(Endpoint.ofProvider(target)).toolNames()).startsWith("tool_search");
    }
  }

  private static AnsweredCall.Image image() {
    return AnsweredCall.Image.of("image/png", new byte[] {1, 2, 3});
  }

  private static String functionCall(String id, String name, String arguments) {
    return """
    {"output":[{"type":"reasoning","id":"rs_1"},{"type":"function_call","call_id":"%s",
     "name":"%s","arguments":%s}]}\
    """
        .formatted(id, name, quoted(arguments));
  }

  private static String quoted(String text) {
    return Vectors.JSON.writeValueAsString(text);
  }

  /** The key of the order number as it was declared. */
  private static String declaredKey(String declared) {
    return declared.contains("order_no") ? "order_no" : "order no";
  }
}
