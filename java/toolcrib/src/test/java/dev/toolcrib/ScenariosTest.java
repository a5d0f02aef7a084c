package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Plays {@code tests/vectors/scenarios/*.json} through the Java API, as cargo test does below it.
 */
class ScenariosTest {

  @TestFactory
  List<DynamicTest> every_scenario_gives_its_recorded_answers() throws Exception {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path file : Vectors.files("scenarios")) {
      tests.add(DynamicTest.dynamicTest(file.getFileName().toString(), () -> play(file)));
    }
    assertThat(tests).isNotEmpty();
    return tests;
  }

  private static void play(Path file) {
    int number = 0;
    try (World world = new World()) {
      for (JsonNode step : Vectors.JSON.readTree(file.toFile()).path("steps")) {
        var operation = step.properties().iterator().next();
        JsonNode answer;
        try {
          answer = world.play(operation.getKey(), operation.getValue());
        } catch (ToolcribException e) {
          answer = Vectors.JSON.createObjectNode().put("error", e.code());
        } catch (IllegalArgumentException e) {
          answer = Vectors.JSON.createObjectNode().put("error", "invalid_argument");
        }
        // Read once more, so that numbers are of the types that reading gives them.
        assertThat(Vectors.JSON.readTree(answer.toString()))
            .as("step %d: %s", number, operation)
            .isEqualTo(step.path("expect"));
        number++;
      }
    }
  }

  /** A registry and the sessions on it, each with rights of its own. */
  private static final class World implements AutoCloseable {
    private final Map<String, ToolSession> sessions = new HashMap<>();
    private final Map<String, Checkpoint> checkpoints = new HashMap<>();
    // By user, which is the session's name: a fork has the caller, and so the rights, of its
    // origin.
    private final Map<String, ToolSelection> rights = new HashMap<>();
    private final ToolRegistry registry =
        ToolRegistry.builder()
            // Nothing here has to be waited for: what is expected is said in the answers alone.
            .sourceWait(Duration.ZERO)
            .authorizer(caller -> rights.getOrDefault(caller.user(), ToolSelection.none()))
            .build();

    JsonNode play(String operation, JsonNode of) {
      return switch (operation) {
        case "put" -> put(of);
        case "announce" -> json(registry.expect(Vectors.expected(of)));
        case "remove" -> json(registry.remove(of.path("source").asString()));
        case "list" -> list(of);
        case "open" -> {
          ToolSession.Builder session = session(of);
          session.pinned(Vectors.texts(of.path("pinned")).toArray(String[]::new));
          yield keep(of.path("session"), session.open());
        }
        case "restore" ->
            keep(
                of.path("session"),
                session(of).restore(HexFormat.of().parseHex(of.path("snapshot").asString())));
        case "fork" -> keep(of.path("as"), named(of).fork());
        case "snapshot" -> json(HexFormat.of().formatHex(named(of).snapshot()));
        case "authorize" -> {
          rights.put(named(of).caller().user(), Vectors.selection(of.path("rights")));
          yield object().set("withdrawn", json(named(of).refresh()));
        }
        case "search" -> searched(named(of).search(searchRequest(of)));
        case "activate" ->
            json(named(of).activate(Vectors.texts(of.path("names")), optional(of, "position")));
        case "render" -> render(of);
        case "call" -> call(of);
        case "turn" -> turn(of);
        case "checkpoint" -> checkpoint(of);
        case "rewind" -> rewind(of);
        case "describe" -> describe(of);
        case "preview" -> preview(of);
        default -> throw new AssertionError("no operation: " + operation);
      };
    }

    private JsonNode put(JsonNode of) {
      PublishReport report = registry.put(Vectors.source(of));
      ObjectNode answer =
          object()
              .put("published", report.published())
              .put("changed", report.changed())
              .put("removed", report.removed());
      var quarantined = answer.putArray("quarantined");
      report
          .quarantined()
          .forEach(q -> quarantined.addObject().put("tool", q.tool()).put("code", q.code()));
      return answer;
    }

    private JsonNode list(JsonNode of) {
      rights.put("list", Vectors.selection(of.path("rights")));
      ToolPage page =
          registry.list(
              Caller.of("acme", "list"), optional(of, "cursor"), of.path("limit").asInt(100));
      ObjectNode answer = object();
      answer.set("tools", json(page.tools().stream().map(entry -> entry.tool().name()).toList()));
      return answer.put("nextCursor", page.nextCursor());
    }

    private ToolSession.Builder session(JsonNode of) {
      String name = of.path("session").asString();
      rights.put(name, Vectors.selection(of.path("rights")));
      return registry
          .session(Caller.of("acme", name))
          .codemode(of.path("codemode").asBoolean(false));
    }

    private JsonNode keep(JsonNode name, ToolSession session) {
      sessions.put(name.asString(), session);
      return json("done");
    }

    private ToolSession named(JsonNode of) {
      return sessions.get(of.path("session").asString());
    }

    private static SearchRequest searchRequest(JsonNode of) {
      SearchRequest request = SearchRequest.of(of.path("query").asString());
      if (of.has("limit")) {
        request = request.withLimit(of.path("limit").asInt());
      }
      if (of.has("position")) {
        request = request.withPosition(of.path("position").asString());
      }
      return of.has("within") ? request.within(Vectors.selection(of.path("within"))) : request;
    }

    private static JsonNode searched(SearchOutcome outcome) {
      String kind =
          outcome instanceof SearchOutcome.Found
              ? "found"
              : outcome instanceof SearchOutcome.AlreadyActive ? "already_active" : "nothing";
      ObjectNode answer = object().put("outcome", kind);
      var hits = answer.putArray("hits");
      for (SearchHit hit : outcome.hits()) {
        hits.addArray()
            .add(hit.tool().name())
            .add(hit.state().name().toLowerCase(java.util.Locale.ROOT));
      }
      answer.set("added", json(outcome.addedToolNames()));
      if (!outcome.notReady().isEmpty()) {
        answer.set("notReady", json(outcome.notReady()));
      }
      return answer.put("text", outcome.text());
    }

    private JsonNode render(JsonNode of) {
      RenderedTools rendered = named(of).render(Vectors.endpoint(of));
      ObjectNode answer = object();
      answer.set("names", json(rendered.toolNames()));
      answer.put("json", rendered.json());
      answer.set(
          "quarantined",
          json(rendered.quarantined().stream().map(RenderedTools.Quarantined::tool).toList()));
      if (!rendered.withdrawn().isEmpty()) {
        answer.set("withdrawn", json(rendered.withdrawn()));
      }
      if (!rendered.notReady().isEmpty()) {
        answer.set("notReady", json(rendered.notReady()));
      }
      return answer;
    }

    /** A whole turn: every call of the answer is made, and all results are written together. */
    private JsonNode turn(JsonNode of) {
      ToolSession session = named(of);
      Endpoint endpoint = Vectors.endpoint(of);
      List<AnsweredCall> turn = new ArrayList<>();
      for (ModelCall call : session.decodeCalls(endpoint, of.path("answer").toString())) {
        turn.add(call.answer(session.call(call.request()).join()));
      }
      ObjectNode answer = object();
      answer.set("calls", json(turn.stream().map(answered -> answered.call().name()).toList()));
      var messages = answer.putArray("messages");
      session
          .encodeResults(endpoint, turn)
          .forEach(message -> messages.add(Vectors.JSON.readTree(message)));
      return answer;
    }

    private JsonNode call(JsonNode of) {
      JsonNode given = of.path("arguments");
      String arguments =
          given.isString() ? given.asString() : given.isMissingNode() ? "" : given.toString();
      CallRequest request = CallRequest.of(of.path("name").asString(), arguments);
      if (of.has("target") || of.has("endpoint")) {
        request = request.withEndpoint(Vectors.endpoint(of));
      }
      if (of.has("position")) {
        request = request.withPosition(of.path("position").asString());
      }
      if (of.path("allowInactive").asBoolean(false)) {
        request = request.allowingInactive();
      }
      CallResult result = named(of).call(request).join();
      if (result instanceof CallResult.Completed completed) {
        return Vectors.JSON.readTree(completed.payload().text());
      }
      if (result instanceof CallResult.Searched searched) {
        return searched(searched.outcome());
      }
      String kind =
          result instanceof CallResult.NotFound
              ? "not_found"
              : result instanceof CallResult.NotActive
                  ? "not_active"
                  : result instanceof CallResult.InvalidArguments
                      ? "invalid_arguments"
                      : result.toString();
      return object().put("outcome", kind).put("text", result.text());
    }

    private JsonNode checkpoint(JsonNode of) {
      ToolSession session = named(of);
      String position = optional(of, "position");
      Checkpoint checkpoint =
          position == null ? session.checkpoint() : session.checkpoint(position);
      if (of.has("as")) {
        checkpoints.put(of.path("as").asString(), checkpoint);
      }
      return json("done");
    }

    private JsonNode rewind(JsonNode of) {
      String position = optional(of, "position");
      if (position != null) {
        named(of).rewindTo(position);
      } else {
        named(of).rewind(checkpoints.get(of.path("checkpoint").asString()));
      }
      return json("done");
    }

    private JsonNode describe(JsonNode of) {
      SessionState state = named(of).state();
      ObjectNode answer = object().put("authorized", state.authorized());
      var tools = answer.putArray("tools");
      state
          .tools()
          .forEach(
              tool ->
                  tools
                      .addArray()
                      .add(tool.name())
                      .add(tool.standing().name().toLowerCase(java.util.Locale.ROOT)));
      return answer;
    }

    private static JsonNode preview(JsonNode of) {
      byte[] text = Text.utf8(of.path("repeat").asString().repeat(of.path("times").asInt()));
      FrameReader preview = new FrameReader(NativeBridge.callPreview(4096, text));
      String shown = preview.text();
      boolean truncated = preview.flag();
      String[] lines = shown.split("\n", -1);
      return object()
          .put("bytes", Text.utf8(shown).length)
          .put("total", text.length)
          .put("truncated", truncated)
          .put("end", lines[lines.length - 1]);
    }

    private static @org.jspecify.annotations.Nullable String optional(JsonNode of, String key) {
      return of.path(key).isString() ? of.path(key).asString() : null;
    }

    private static ObjectNode object() {
      return Vectors.JSON.createObjectNode();
    }

    private static JsonNode json(Object value) {
      return Vectors.JSON.valueToTree(value);
    }

    @Override
    public void close() {
      sessions.values().forEach(ToolSession::close);
      registry.close();
    }
  }
}
