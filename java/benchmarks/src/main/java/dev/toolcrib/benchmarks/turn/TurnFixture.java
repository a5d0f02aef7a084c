package dev.toolcrib.benchmarks.turn;

import dev.toolcrib.CallRequest;
import dev.toolcrib.CallResult;
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
  private static final Target TARGET = Target.OPENAI_CHAT;

  final List<String> questions;
  private final ServletWebServerApplicationContext service = Service.start();
  private final ToolSessions sessions = service.getBean(ToolSessions.class);
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Map<String, String> argumentsOf = new HashMap<>();

  private TurnFixture(Case of) {
    List<Tool> tools = Catalogue.tools(of.catalogue(), of.tools());
    questions = Catalogue.questions(of.catalogue(), "zh");
    ToolRegistry registry = service.getBean(ToolRegistry.class);
    Crib.bySource(tools).forEach((name, source) -> registry.put(Crib.source(name, source)));
    Map<String, String> names = Crib.names(registry);
    for (Tool tool : tools) {
      String name = names.get(tool.key());
      if (name != null) {
        argumentsOf.put(name, tool.inputSchema());
      }
    }
    argumentsOf.replaceAll((name, schema) -> Arguments.valid(schema).toString());
  }

  static TurnFixture of(Case wanted) {
    return LATEST.of(wanted);
  }

  static void free() {
    LATEST.close();
  }

  /** What a turn brings: how many tools were declared, and what the model reads of its call. */
  record Turn(int declared, String called, String text) {}

  /** Searches, renders, and calls what was found first. */
  Turn inProcess(String question) {
    try (ToolConversation conversation = sessions.open(Crib.CALLER, "here " + question)) {
      SearchOutcome outcome = conversation.search(question);
      RenderedTools rendered = conversation.render(TARGET);
      if (rendered.bytes().length == 0 || outcome.hits().isEmpty()) {
        return new Turn(rendered.toolNames().size(), "", outcome.text());
      }
      String name = outcome.hits().get(0).tool().name();
      CallResult result =
          conversation
              .call(CallRequest.of(name, argumentsOf.get(name)).withTarget(TARGET))
              .join();
      return new Turn(rendered.toolNames().size(), name, result.text());
    }
  }

  /** The same through the endpoints: one request to search and render, one to call. */
  Turn overHttp(String question) {
    JsonNode found =
        post(
            "/tools/search",
            Map.of(
                "query", question,
                "conversationId", "http " + question,
                "target", "openai_chat"));
    JsonNode declared = found.path("declared");
    int count = declared.path("toolNames").size();
    if (declared.path("tools").isEmpty() || found.path("hits").isEmpty()) {
      return new Turn(count, "", found.path("text").asString());
    }
    String name = found.path("hits").get(0).path("name").asString();
    Map<String, Object> call = new LinkedHashMap<>();
    call.put("name", name);
    call.put("arguments", argumentsOf.get(name));
    call.put("conversationId", "http " + question);
    call.put("target", "openai_chat");
    return new Turn(count, name, post("/tools/call", call).path("text").asString());
  }

  private JsonNode post(String path, Map<String, ?> body) {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + service.getWebServer().getPort() + path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(Json.MAPPER.writeValueAsBytes(body)))
            .build();
    try {
      HttpResponse<byte[]> response =
          client.send(request, HttpResponse.BodyHandlers.ofByteArray());
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
