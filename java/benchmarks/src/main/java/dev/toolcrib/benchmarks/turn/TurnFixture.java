package dev.toolcrib.benchmarks.turn;

import dev.toolcrib.CallResult;
import dev.toolcrib.Endpoint;
import dev.toolcrib.ModelCall;
import dev.toolcrib.RenderedTools;
import dev.toolcrib.SearchOutcome;
import dev.toolcrib.Target;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.benchmarks.data.Arguments;
import dev.toolcrib.benchmarks.data.Catalogue;
import dev.toolcrib.benchmarks.data.Crib;
import dev.toolcrib.benchmarks.data.Json;
import dev.toolcrib.benchmarks.data.Latest;
import dev.toolcrib.benchmarks.data.Tool;
import dev.toolcrib.spring.boot.ToolConversation;
import dev.toolcrib.spring.boot.ToolSessions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import tools.jackson.databind.JsonNode;

/** A running service, and a turn of a conversation with it: in its process, and over HTTP. */
final class TurnFixture implements AutoCloseable {

  record Case(String catalogue, int tools) {}

  private static final Latest<Case, TurnFixture> LATEST = new Latest<>(TurnFixture::new);
  private static final Endpoint ENDPOINT = Endpoint.of(Target.OPENAI_CHAT);

  final List<String> questions;
  private final ServletWebServerApplicationContext service = Service.start();
  private final ToolSessions sessions = service.getBean(ToolSessions.class);
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Map<String, String> answersOf = new HashMap<>();

  private TurnFixture(Case of) {
    List<Tool> tools = Catalogue.tools(of.catalogue(), of.tools());
    questions = Catalogue.questions(of.catalogue(), "zh");
    ToolRegistry registry = service.getBean(ToolRegistry.class);
    Crib.bySource(tools).forEach((name, source) -> registry.put(Crib.source(name, source)));
    Map<String, String> names = Crib.names(registry);
    for (Tool tool : tools) {
      String name = names.get(tool.key());
      if (name != null) {
        answersOf.put(name, tool.inputSchema());
      }
    }
    answersOf.replaceAll(TurnFixture::answer);
  }

  static TurnFixture of(Case wanted) {
    return LATEST.of(wanted);
  }

  static void free() {
    LATEST.close();
  }

  /**
   * What a turn brings.
   *
   * @param declared how many tools were declared
   * @param called the tool that was called; empty if none was found
   * @param item what goes into the history, JSON
   */
  record Turn(int declared, String called, String item) {}

  /** Searches, renders, reads the model's answer, calls what it says and writes the result. */
  Turn inProcess(String question) {
    try (ToolConversation conversation =
        sessions.open(Crib.CALLER, conversation("here", question))) {
      SearchOutcome outcome = conversation.search(question);
      RenderedTools rendered = conversation.render(ENDPOINT);
      if (rendered.bytes().length == 0 || outcome.hits().isEmpty()) {
        return new Turn(rendered.toolNames().size(), "", "");
      }
      String name = outcome.hits().get(0).tool().name();
      ModelCall call = conversation.decodeCalls(ENDPOINT, answersOf.get(name)).get(0);
      CallResult result = conversation.call(call.request()).join();
      List<String> items = conversation.encodeResults(ENDPOINT, List.of(call.answer(result)));
      return new Turn(rendered.toolNames().size(), name, items.get(0));
    }
  }

  /** The same through the endpoints: one request to search and render, one to call. */
  Turn overHttp(String question) {
    JsonNode found =
        post(
            "/tools/search",
            Map.of(
                "query",
                question,
                "conversationId",
                conversation("http", question),
                "target",
                "openai_chat"));
    JsonNode declared = found.path("declared");
    int count = declared.path("toolNames").size();
    if (declared.path("tools").isEmpty() || found.path("hits").isEmpty()) {
      return new Turn(count, "", "");
    }
    String name = found.path("hits").get(0).path("name").asString();
    JsonNode called =
        Json.MAPPER
            .readTree(answersOf.get(name))
            .path("choices")
            .path(0)
            .path("message")
            .path("tool_calls")
            .path(0);
    Map<String, Object> call = new LinkedHashMap<>();
    call.put("name", called.path("function").path("name").asString());
    call.put("arguments", called.path("function").path("arguments").asString());
    call.put("callId", called.path("id").asString());
    call.put("conversationId", conversation("http", question));
    call.put("target", "openai_chat");
    Map<String, Object> item = new LinkedHashMap<>();
    item.put("role", "tool");
    item.put("tool_call_id", called.path("id").asString());
    item.put("content", post("/tools/call", call).path("text").asString());
    return new Turn(count, name, Json.MAPPER.writeValueAsString(item));
  }

  /** A conversation for each question and way, so that they meet the same state. */
  private static String conversation(String way, String question) {
    return way + ' ' + Integer.toHexString(question.hashCode());
  }

  /** What a model answers that calls a tool, as OpenAI's chat completions have it. */
  private static String answer(String name, String schema) {
    Map<String, Object> function = new LinkedHashMap<>();
    function.put("name", name);
    function.put("arguments", Arguments.valid(schema).toString());
    Map<String, Object> call = Map.of("id", "call_1", "type", "function", "function", function);
    Map<String, Object> message =
        Map.of("role", "assistant", "content", "", "tool_calls", List.of(call));
    return Json.MAPPER.writeValueAsString(
        Map.of("choices", List.of(Map.of("index", 0, "message", message))));
  }

  private JsonNode post(String path, Map<String, ?> body) {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + service.getWebServer().getPort() + path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(Json.MAPPER.writeValueAsBytes(body)))
            .build();
    try {
      HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
      if (response.statusCode() != 200) {
        throw new IllegalStateException(path + " answers " + response.statusCode());
      }
      return Json.MAPPER.readTree(response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    service.close();
  }
}
