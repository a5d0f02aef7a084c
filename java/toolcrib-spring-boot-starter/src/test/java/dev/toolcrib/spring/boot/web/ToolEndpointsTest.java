package dev.toolcrib.spring.boot.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.jwt;

import dev.toolcrib.Caller;
import dev.toolcrib.Decision;
import dev.toolcrib.ExpectedSource;
import dev.toolcrib.Exposure;
import dev.toolcrib.ToolAuthorizer;
import dev.toolcrib.ToolCall;
import dev.toolcrib.ToolExecutor;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolResult;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSource;
import dev.toolcrib.spring.boot.Crib;
import dev.toolcrib.spring.boot.ToolSessions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.test.web.servlet.request.RequestPostProcessor;
import org.springframework.util.unit.DataSize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@SpringBootTest(
    classes = ToolEndpointsTest.Service.class,
    properties = {
      "toolcrib.endpoints.enabled=true",
      "toolcrib.endpoints.script=true",
      "toolcrib.endpoints.page-size=2",
      "toolcrib.endpoints.max-page-size=3",
      "toolcrib.endpoints.max-body-size=4KB",
      "toolcrib.caller.tenant-claim=org",
      // What a service sets for its own JSON must not change ours.
      "spring.jackson.property-naming-strategy=SNAKE_CASE"
    })
@AutoConfigureMockMvc
class ToolEndpointsTest {

  private static final String FIND = "mcp__orders__find_order";
  private static final String REFUND = "mcp__orders__refund_order";
  private static final RequestPostProcessor ANN = user("ann", "clerk");
  private static final RequestPostProcessor MAX = user("max", "manager");
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Rights that a test can change. */
  static final class Rights implements ToolAuthorizer {
    volatile ToolAuthorizer current = Crib.byRole();

    @Override
    public ToolSelection authorizedTools(Caller caller) {
      return current.authorizedTools(caller);
    }

    @Override
    public Decision authorize(ToolCall call) {
      return current.authorize(call);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Service {
    static final List<Caller> CALLERS = new ArrayList<>();

    @Bean
    SecurityFilterChain openToAll(HttpSecurity http) throws Exception {
      // So that it is the endpoints that deny.
      return http.csrf(csrf -> csrf.disable())
          .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
          .build();
    }

    @Bean
    Rights rights() {
      return new Rights();
    }

    @Bean
    ToolSource orders() {
      return Crib.orders(
          ToolExecutor.blocking(
              call -> {
                CALLERS.add(call.caller());
                return new ToolResult("ok " + call.arguments(), call.arguments(), false);
              }));
    }

    @Bean
    WhoController whoController() {
      return new WhoController();
    }
  }

  @RestController
  static class WhoController {
    @GetMapping("/who")
    String who(Caller caller) {
      return caller.tenant() + "/" + caller.user();
    }
  }

  @Autowired private MockMvcTester mvc;
  @Autowired private Rights rights;
  @Autowired private ToolRegistry registry;
  @Autowired private ToolSource orders;

  @AfterEach
  void restore() {
    rights.current = Crib.byRole();
    registry.put(orders);
    Service.CALLERS.clear();
  }

  @Test
  void withoutAuthenticationEveryEndpointAnswers401() {
    for (String endpoint : List.of("list", "search", "call")) {
      MvcTestResult result = post(endpoint, null, "not even JSON");
      assertProblem(result, 401, "caller_required");
      assertThat(result).hasHeader("WWW-Authenticate", "Bearer");
    }
  }

  @Test
  void withoutTenantEveryEndpointAnswers403() {
    RequestPostProcessor stranger =
        jwt().jwt(token -> token.subject("ann")).authorities(AuthorityUtils.NO_AUTHORITIES);
    for (String endpoint : List.of("list", "search", "call")) {
      assertProblem(post(endpoint, stranger, "{}"), 403, "caller_denied");
    }
  }

  @Test
  void aBodyCannotSayWhoAsks() {
    assertProblem(
        post("list", ANN, "{\"tenant\":\"other\",\"roles\":[\"manager\"]}"), 400, "invalid_json");
  }

  @Test
  void theListIsTheCallersOwnPageByPage() {
    JsonNode first = ok(post("list", MAX, ""));
    assertThat(first.path("total").intValue()).isEqualTo(3);
    assertThat(names(first.path("tools"))).hasSize(2);

    JsonNode second = ok(post("list", MAX, "{\"cursor\":%s}".formatted(first.path("nextCursor"))));
    assertThat(names(second.path("tools"))).hasSize(1);
    assertThat(second.has("nextCursor")).isFalse();

    JsonNode clerks = ok(post("list", ANN, "{\"limit\":1000}"));
    assertThat(clerks.path("total").intValue()).isEqualTo(2);
    assertThat(names(clerks.path("tools"))).doesNotContain(REFUND);
  }

  @Test
  void aListedToolHasItsSchemaAsJson() {
    JsonNode tool = ok(post("list", ANN, "{\"limit\":1}")).path("tools").path(0);
    assertThat(tool.path("name").stringValue()).isEqualTo(FIND);
    assertThat(tool.path("inputSchema")).isEqualTo(JSON.readTree(Crib.ORDER_SCHEMA));
    assertThat(tool.path("source").stringValue()).isEqualTo("orders");
    assertThat(tool.path("exposure").stringValue()).isEqualTo("codemode");
  }

  @Test
  void aSearchActivatesInTheConversationAndDeclares() {
    JsonNode found =
        ok(
            post(
                "search",
                ANN,
                """
                {"query":"where is the parcel","conversationId":"search-1","limit":1,
                 "target":"anthropic_messages"}\
                """));
    assertThat(found.path("outcome").stringValue()).isEqualTo("found");
    assertThat(found.path("text").stringValue()).isNotBlank();
    assertThat(found.path("hits").path(0).path("state").stringValue()).isEqualTo("added");
    assertThat(found.path("addedToolNames"))
        .extracting(JsonNode::stringValue)
        .containsExactly("mcp__orders__track_order");
    assertThat(names(found.path("declared").path("tools")))
        .containsExactly("tool_search", "mcp__orders__track_order");

    JsonNode again =
        ok(post("search", ANN, "{\"query\":\"parcel\",\"conversationId\":\"search-1\"}"));
    assertThat(again.path("outcome").stringValue()).isEqualTo("already_active");
  }

  @Test
  void theListDeclaresWhatIsActiveForAnEndpoint() {
    String endpoint =
        "\"endpoint\":{\"target\":\"anthropic-messages\",\"provider\":true,\"strict\":true}";
    String inConversation = "{\"conversationId\":\"list-1\",\"limit\":1,%s}".formatted(endpoint);
    JsonNode before = ok(post("list", ANN, inConversation)).path("declared");
    assertThat(names(before.path("tools"))).containsExactly("tool_search", "tool_placeholder");

    ok(
        post(
            "search",
            ANN,
            "{\"query\":\"find order\",\"limit\":1,\"conversationId\":\"list-1\",%s}"
                .formatted(endpoint)));
    JsonNode declared = ok(post("list", ANN, inConversation)).path("declared");
    assertThat(declared.path("toolNames"))
        .extracting(JsonNode::stringValue)
        .containsExactly("tool_search", FIND);
    assertThat(declared.path("tools").path(2).path("defer_loading").booleanValue()).isTrue();
    assertThat(declared.path("withdrawn")).isEmpty();

    rights.current = caller -> ToolSelection.none();
    JsonNode after = ok(post("list", ANN, inConversation)).path("declared");
    assertThat(after.path("withdrawn")).extracting(JsonNode::stringValue).containsExactly(FIND);
    assertThat(after.path("tools").toString()).doesNotContain("\"order\"");
    // Another caller's conversation of that id is another one.
    JsonNode other = ok(post("list", MAX, inConversation)).path("declared");
    assertThat(other.path("toolNames")).isEmpty();
    assertThat(other.path("withdrawn")).isEmpty();
  }

  @Test
  void aSourceThatIsToComeIsNamedToWhoMayKnowOfIt() {
    registry.expect(
        new ExpectedSource(
            "slow",
            Set.of(Exposure.DIRECT),
            null,
            Set.of("look"),
            CompletableFuture.failedFuture(new IllegalStateException("no such host"))));
    String search = "{\"query\":\"parcel\",\"target\":\"openai_chat\"}";
    try {
      JsonNode told = ok(post("search", ANN, search));
      assertThat(told.path("notReady").toString()).isEqualTo("[\"slow\"]");
      assertThat(told.path("text").stringValue()).contains("Not searched", "slow");
      assertThat(told.path("declared").path("notReady").toString()).isEqualTo("[\"slow\"]");
      rights.current = caller -> ToolSelection.names(FIND);
      JsonNode untold = ok(post("search", ANN, search));
      assertThat(untold.toString()).doesNotContain("slow", "notReady");
    } finally {
      registry.remove("slow");
    }
  }

  @Test
  void anEndpointThatCannotBeIsRefused() {
    String list = "{\"endpoint\":{%s}}";
    assertProblem(post("list", ANN, list.formatted("")), 400, "invalid_target");
    assertProblem(post("list", ANN, list.formatted("\"target\":\"fax\"")), 400, "invalid_target");
    String chat = "\"target\":\"openai-chat\"";
    assertProblem(
        post("list", ANN, list.formatted(chat + ",\"activation\":\"none\"")),
        400,
        "invalid_activation");
    assertProblem(
        post("list", ANN, list.formatted(chat + ",\"activation\":\"anthropic-reference\"")),
        400,
        "invalid_request");
    assertProblem(
        post("list", ANN, list.formatted(chat + ",\"maxTools\":-1")), 400, "invalid_request");
    assertProblem(
        post("list", ANN, "{\"target\":\"mcp\",\"endpoint\":{%s}}".formatted(chat)),
        400,
        "invalid_request");
  }

  @Test
  void metaToolsAreCalledWhereTheEndpointHasThem() {
    String call =
        """
        {"name":"call_tool","arguments":{"name":"%s","arguments":{"order":"A-1"}},
         "conversationId":"meta-1"%s}\
        """;
    String meta = ",\"endpoint\":{\"target\":\"compatible\",\"activation\":\"meta-tool\"}";
    assertThat(ok(post("call", ANN, call.formatted(FIND, meta))).path("outcome").stringValue())
        .isEqualTo("completed");
    assertThat(ok(post("call", ANN, call.formatted(REFUND, meta))).path("outcome").stringValue())
        .isEqualTo("not_found");
    assertThat(ok(post("call", ANN, call.formatted(FIND, ""))).path("outcome").stringValue())
        .isEqualTo("not_found");
  }

  @Test
  void aSearchStaysWithinItsFilters() {
    JsonNode nothing = ok(post("search", ANN, "{\"query\":\"order\",\"sources\":[\"elsewhere\"]}"));
    assertThat(nothing.path("outcome").stringValue()).isEqualTo("nothing_found");
    assertThat(nothing.path("hits")).isEmpty();
  }

  @Test
  void withAConversationOnlyActiveToolsAreCalled() {
    String call = "{\"name\":\"%s\",\"arguments\":{\"order\":\"A-1\"}%s}";
    String inConversation = call.formatted(FIND, ",\"conversationId\":\"call-1\"");
    assertThat(ok(post("call", ANN, inConversation)).path("outcome").stringValue())
        .isEqualTo("not_active");

    ok(post("search", ANN, "{\"query\":\"find order\",\"conversationId\":\"call-1\"}"));
    JsonNode done = ok(post("call", ANN, inConversation));
    assertThat(done.path("outcome").stringValue()).isEqualTo("completed");
    assertThat(done.path("isError").booleanValue()).isFalse();
    assertThat(done.path("text").stringValue()).startsWith("ok ");
    assertThat(done.path("payload").path("structuredContent"))
        .isEqualTo(JSON.readTree("{\"order\":\"A-1\"}"));

    assertThat(ok(post("call", MAX, inConversation)).path("outcome").stringValue())
        .isEqualTo("not_active");
    assertThat(ok(post("call", ANN, call.formatted(FIND, ""))).path("outcome").stringValue())
        .isEqualTo("completed");
  }

  @Test
  void theToolLearnsWhoCalls() {
    ok(post("call", ANN, "{\"name\":\"%s\",\"arguments\":{\"order\":\"A\"}}".formatted(FIND)));
    assertThat(Service.CALLERS).containsExactly(Caller.of("acme", "ann").withRoles("clerk"));
  }

  @Test
  void argumentsMayComeAsTextToo() {
    JsonNode done =
        ok(
            post(
                "call",
                ANN,
                "{\"name\":\"%s\",\"arguments\":\"{\\\"order\\\":\\\"A-2\\\"}\",\"callId\":\"7\"}"
                    .formatted(FIND)));
    assertThat(done.path("text").stringValue()).contains("A-2");
    assertThat(done.path("callId").stringValue()).isEqualTo("7");
  }

  @Test
  void wrongArgumentsAreForTheModelToRead() {
    JsonNode wrong =
        ok(post("call", ANN, "{\"name\":\"%s\",\"arguments\":{\"order\":1}}".formatted(FIND)));
    assertThat(wrong.path("outcome").stringValue()).isEqualTo("invalid_arguments");
    assertThat(wrong.path("isError").booleanValue()).isTrue();
    assertThat(wrong.path("problems").path(0).path("path").stringValue()).isEqualTo("/order");
    assertThat(Service.CALLERS).isEmpty();
  }

  @Test
  void anUnknownToolAndAForbiddenOneAnswerAlikeByteForByte() {
    String call =
        "{\"name\":\"%s\",\"arguments\":{\"order\":\"A\"},\"callId\":\"1\"}".formatted(REFUND);
    MvcTestResult forbidden = post("call", ANN, call);
    // The tools that look alike are the caller's own, so these have to be there both times.
    registry.put(withoutRefund());
    MvcTestResult unknown = post("call", ANN, call);

    assertThat(ok(forbidden).path("outcome").stringValue()).isEqualTo("not_found");
    assertThat(bytes(forbidden)).isEqualTo(bytes(unknown));
    assertThat(forbidden.getResponse().getHeaderNames())
        .isEqualTo(unknown.getResponse().getHeaderNames());
    assertThat(Service.CALLERS).isEmpty();
  }

  @Test
  void aRightThatIsWithdrawnRefusesTheNextCallOfAnActiveTool() {
    ok(post("search", MAX, "{\"query\":\"refund\",\"conversationId\":\"withdrawn\"}"));
    String call =
        "{\"name\":\"%s\",\"arguments\":{\"order\":\"A\"},\"conversationId\":\"withdrawn\"}"
            .formatted(REFUND);
    assertThat(ok(post("call", MAX, call)).path("outcome").stringValue()).isEqualTo("completed");

    rights.current = caller -> ToolSelection.tags("look");
    assertThat(ok(post("call", MAX, call)).path("outcome").stringValue()).isEqualTo("not_found");
  }

  @Test
  void anAuthorizerThatThrowsRefuses() {
    rights.current =
        new ToolAuthorizer() {
          @Override
          public ToolSelection authorizedTools(Caller caller) {
            return ToolSelection.all();
          }

          @Override
          public Decision authorize(ToolCall call) {
            throw new IllegalStateException("jdbc:secret");
          }
        };
    MvcTestResult result =
        post("call", ANN, "{\"name\":\"%s\",\"arguments\":{\"order\":\"A\"}}".formatted(FIND));
    assertThat(ok(result).path("outcome").stringValue()).isEqualTo("refused");
    assertThat(new String(bytes(result))).doesNotContain("secret");
    assertThat(Service.CALLERS).isEmpty();
  }

  @Test
  void aScriptCallsTheToolsOfTheCaller() {
    MvcTestResult result =
        post(
            "script",
            ANN,
            "{\"callId\":\"s1\",\"code\":\"const r = await tools.%s({order: 'A'}); text('seen'); return r.structuredContent\"}"
                .formatted(FIND));
    JsonNode answer = ok(result);
    assertThat(answer.path("outcome").stringValue()).isEqualTo("completed");
    assertThat(answer.path("isError").booleanValue()).isFalse();
    assertThat(answer.path("callId").stringValue()).isEqualTo("s1");
    assertThat(answer.path("output").stringValue()).isEqualTo("seen\n{\"order\":\"A\"}\n");
    assertThat(answer.path("value").path("order").stringValue()).isEqualTo("A");
    assertThat(answer.path("calls").path(0).path("tool").stringValue()).isEqualTo(FIND);
    assertThat(answer.path("calls").path(0).path("state").stringValue()).isEqualTo("completed");
  }

  @Test
  void aScriptThatFailsIsAResultAndSeesNothingThatTheCallerMayNotSee() {
    JsonNode answer =
        ok(post("script", ANN, "{\"code\":\"await tools.%s({order: 'A'})\"}".formatted(REFUND)));
    assertThat(answer.path("outcome").stringValue()).isEqualTo("script");
    assertThat(answer.path("isError").booleanValue()).isTrue();
    assertThat(answer.path("failure").stringValue()).contains("You have no tool named", "line 1");
    assertThat(answer.has("value")).isFalse();
    JsonNode manager =
        ok(
            post(
                "script",
                MAX,
                "{\"code\":\"return await tools.%s({order: 'A'})\"}".formatted(REFUND)));
    assertThat(manager.path("outcome").stringValue()).isEqualTo("completed");
    assertProblem(post("script", null, "{\"code\":\"return 1\"}"), 401, "caller_required");
    assertProblem(post("script", ANN, "{}"), 400, "invalid_request");
  }

  @Test
  void scriptsOfOneConversationShareWhatTheyStore() {
    String script = "{\"conversationId\":\"stored\",\"code\":\"%s\"}";
    assertThat(
            ok(post("script", ANN, script.formatted("store('n', 1)")))
                .path("outcome")
                .stringValue())
        .isEqualTo("completed");
    assertThat(
            ok(post("script", ANN, script.formatted("return load('n')"))).path("value").intValue())
        .isEqualTo(1);
    assertThat(ok(post("script", MAX, script.formatted("return load('n')"))).has("value"))
        .isFalse();
  }

  @Test
  void whatIsWrongWithARequestIsAProblemWithACode() {
    assertProblem(post("list", ANN, "{"), 400, "invalid_json");
    assertProblem(post("list", ANN, "[]"), 400, "invalid_json");
    assertProblem(post("list", ANN, "{} {}"), 400, "invalid_json");
    assertProblem(post("list", ANN, "null"), 400, "invalid_request");
    assertProblem(post("list", ANN, "{\"limit\":0}"), 400, "invalid_request");
    assertProblem(post("search", ANN, "{}"), 400, "invalid_request");
    assertProblem(post("search", ANN, "{\"query\":\"a\",\"limit\":-1}"), 400, "invalid_request");
    assertProblem(
        post("search", ANN, "{\"query\":\"a\",\"target\":\"fax\"}"), 400, "invalid_target");
    assertProblem(
        post("search", ANN, "{\"query\":\"a\",\"conversation_id\":\"1\"}"), 400, "invalid_json");
    assertProblem(
        post("search", ANN, "{\"query\":\"a\",\"conversationId\":\" \"}"), 400, "invalid_request");
    assertProblem(post("call", ANN, "{\"arguments\":{}}"), 400, "invalid_request");
    assertProblem(
        post("call", ANN, "{\"name\":\"a\",\"arguments\":{\"a\":1,\"a\":2}}"), 400, "invalid_json");
    assertProblem(
        post("call", ANN, "{\"name\":\"" + "x".repeat(5_000) + "\"}"), 413, "body_too_large");
  }

  @Test
  void halfAnEmojiInAQuestionIsNoReasonToRefuseIt() {
    assertThat(post("search", ANN, "{\"query\":\"orders \\ud83d\"}")).hasStatusOk();
  }

  @Test
  void aClosedRegistryIsNotAvailable() {
    ToolRegistry closed = ToolRegistry.builder().build();
    ToolSessions sessions = new ToolSessions(closed, 1, 1, Duration.ofMinutes(1), List.of());
    closed.close();
    RequiredCaller ann = new RequiredCaller(request -> Crib.CLERK, "Bearer");
    ToolsController controller =
        new ToolsController(closed, sessions, ann, 1, 1, DataSize.ofBytes(100), false);

    MvcTestResult unavailable =
        MockMvcTester.of(
                List.of(controller),
                mvc -> mvc.addPlaceholderValue("toolcrib.endpoints.base-path", "/tools").build())
            .post()
            .uri("/tools/list")
            .contentType(MediaType.APPLICATION_JSON)
            .content("{}")
            .exchange();
    assertProblem(unavailable, 503, "unavailable");
  }

  @Test
  void onlyJsonIsTaken() {
    assertThat(
            mvc.post()
                .uri("/tools/list")
                .with(ANN)
                .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                .content("a=b"))
        .hasStatus(415);
    assertThat(mvc.get().uri("/tools/list").with(ANN)).hasStatus(405);
  }

  @Test
  void aControllerOfTheServiceIsGivenTheCaller() {
    assertThat(mvc.get().uri("/who").with(ANN)).hasStatusOk().bodyText().isEqualTo("acme/ann");
    assertThat(mvc.get().uri("/who")).hasStatus(401);
  }

  private static ToolSource withoutRefund() {
    String tool = "{\"name\":\"%s\",\"description\":\"%s\",\"inputSchema\":%s}";
    return ToolSource.named("orders")
        .tags("look")
        .toolsList(
            "[%s,%s]"
                .formatted(
                    tool.formatted("find_order", "Finds an order by its number", Crib.ORDER_SCHEMA),
                    tool.formatted(
                        "track_order", "Tells where the parcel of an order is", Crib.ORDER_SCHEMA)))
        .build();
  }

  private MvcTestResult post(String endpoint, RequestPostProcessor user, String body) {
    var request =
        mvc.post().uri("/tools/" + endpoint).contentType(MediaType.APPLICATION_JSON).content(body);
    return (user == null ? request : request.with(user)).exchange();
  }

  private static RequestPostProcessor user(String name, String role) {
    return jwt()
        .jwt(token -> token.subject(name).claim("org", "acme"))
        .authorities(AuthorityUtils.createAuthorityList(role));
  }

  private static JsonNode ok(MvcTestResult result) {
    assertThat(result).hasStatusOk().hasContentType(MediaType.APPLICATION_JSON);
    return JSON.readTree(bytes(result));
  }

  private static void assertProblem(MvcTestResult result, int status, String code) {
    assertThat(result).hasStatus(status).hasContentType(MediaType.APPLICATION_PROBLEM_JSON);
    JsonNode problem = JSON.readTree(bytes(result));
    assertThat(problem.path("code").stringValue()).isEqualTo(code);
    assertThat(problem.path("status").intValue()).isEqualTo(status);
    assertThat(problem.path("title").stringValue()).isNotBlank();
    assertThat(problem.path("detail").stringValue()).isNotBlank();
  }

  private static List<String> names(JsonNode tools) {
    List<String> names = new ArrayList<>();
    tools.forEach(tool -> names.add(tool.path("name").stringValue()));
    return names;
  }

  private static byte[] bytes(MvcTestResult result) {
    return result.getResponse().getContentAsByteArray();
  }
}
