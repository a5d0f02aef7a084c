package dev.toolcrib.mcp;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An MCP server that misbehaves on demand, within this process or as a program of its own: {@code
 * java FakeServer FAULT…}.
 */
final class FakeServer {

  /** What it does wrong. */
  enum Fault {
    NONE,
    /** Says nothing at all. */
    SILENT,
    /** Ends at once, with something on its standard error. */
    CRASH_AT_START,
    /** Ends when a tool is called. */
    CRASH_ON_CALL,
    /** Answers calls never. */
    HANG_ON_CALL,
    /** Answers everything with another id first. */
    WRONG_ID,
    /** A list of tools that is no list. */
    LIST_IS_NO_LIST,
    /** Every page has the same cursor. */
    CURSOR_CIRCLE,
    /** Page after page without tools, behind cursors of 4 MB. */
    HUGE_CURSORS,
    /** A page after a page. */
    ENDLESS_PAGES,
    /** Answers calls without a text with 50 MB. */
    HUGE_RESULT,
    /** Tells of progress, over and over, and answers calls never. */
    ENDLESS_PROGRESS,
    /**
     * Tells all sorts of things nobody asked for, fifty thousand times, before it answers a call.
     */
    CALL_FLOOD,
    /** Results without any shape. */
    SHAPELESS_RESULT,
    /** Text that is no JSON between the messages. */
    CHATTER,
    /** Says a thousand times that its tools changed. */
    FLOOD,
    /** Two tools of one name and some with schemas of other drafts. */
    ODD_TOOLS,
    /** Speaks a revision that nobody knows. */
    UNKNOWN_REVISION,
    /** Bytes that are no UTF-8 in what a tool answers. */
    INVALID_UTF8,
    /** Does not end by itself. */
    STUBBORN
  }

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String SCHEMA =
      "{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"}}}";

  private final Fault fault;
  private final Consumer<String> out;
  private final List<String> tools = new CopyOnWriteArrayList<>(List.of("echo", "slow", "env"));
  final AtomicInteger lists = new AtomicInteger();
  final List<JsonNode> received = new CopyOnWriteArrayList<>();
  final CountDownLatch called = new CountDownLatch(1);

  FakeServer(Fault fault, Consumer<String> out) {
    this.fault = fault;
    this.out = out;
  }

  public static void main(String[] args) throws Exception {
    Fault fault = args.length == 0 ? Fault.NONE : Fault.valueOf(args[0]);
    if (fault == Fault.CRASH_AT_START) {
      System.err.println("I cannot work like this");
      System.exit(3);
    }
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    Charset charset =
        fault == Fault.INVALID_UTF8 ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8;
    FakeServer server =
        new FakeServer(
            fault,
            line -> {
              out.writeBytes((line + "\n").getBytes(charset));
              out.flush();
            });
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      server.receive(line);
    }
    if (fault == Fault.STUBBORN) {
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    while (true) {
                      Thread.onSpinWait();
                    }
                  }));
      new CountDownLatch(1).await();
    }
  }

  /** Changes the tools without telling. */
  void tools(String... names) {
    tools.clear();
    tools.addAll(List.of(names));
  }

  void tell(String method) {
    out.accept("{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\"}");
  }

  void receive(String line) {
    JsonNode message = JSON.readTree(line);
    received.add(message);
    if (fault == Fault.SILENT || !message.has("id") || !message.has("method")) {
      return;
    }
    if (fault == Fault.CHATTER) {
      out.accept("Hello, this is a log line {not json");
      out.accept("");
    }
    switch (message.path("method").asString()) {
      case "initialize" -> initialize(message);
      case "tools/list" -> list(message);
      case "tools/call" -> call(message);
      default -> answer(message, Map.of());
    }
  }

  private void initialize(JsonNode message) {
    String revision =
        fault == Fault.UNKNOWN_REVISION
            ? "1999-01-01"
            : message.path("params").path("protocolVersion").asString();
    answer(
        message,
        Map.of(
            "protocolVersion",
            revision,
            "capabilities",
            Map.of("tools", Map.of("listChanged", true)),
            "serverInfo",
            Map.of("name", "fake", "version", "1"),
            "instructions",
            "A server for tests\nwith a second line"));
    if (fault == Fault.FLOOD) {
      for (int i = 0; i < 1_000; i++) {
        tell("notifications/tools/list_changed");
      }
    }
  }

  private void list(JsonNode message) {
    int page = lists.incrementAndGet();
    Map<String, Object> result = new LinkedHashMap<>();
    List<Object> listed = new ArrayList<>();
    for (String name : tools) {
      listed.add(tool(fault == Fault.ENDLESS_PAGES ? name + page : name, SCHEMA));
    }
    switch (fault) {
      case LIST_IS_NO_LIST -> result.put("tools", "none");
      case CURSOR_CIRCLE -> {
        result.put("tools", listed);
        result.put("nextCursor", "again");
      }
      case HUGE_CURSORS -> {
        result.put("tools", List.of());
        result.put("nextCursor", "x".repeat(4 << 20) + page);
      }
      case ENDLESS_PAGES -> {
        result.put("tools", listed);
        result.put("nextCursor", "page" + page);
      }
      case ODD_TOOLS -> {
        listed.add(tool("echo", SCHEMA));
        listed.add(
            tool(
                "old",
                "{\"$schema\":\"http://json-schema.org/draft-04/schema#\",\"type\":\"object\","
                    + "\"properties\":{\"n\":{\"type\":\"integer\",\"minimum\":0,"
                    + "\"exclusiveMinimum\":true}}}"));
        listed.add(Map.of("description", "a tool without a name"));
        result.put("tools", listed);
      }
      default -> result.put("tools", listed);
    }
    answer(message, result);
  }

  private static Object tool(String name, String schema) {
    return Map.of(
        "name", name, "description", "Does " + name, "inputSchema", JSON.readTree(schema));
  }

  private void call(JsonNode message) {
    called.countDown();
    switch (fault) {
      case CRASH_ON_CALL -> System.exit(4);
      case HANG_ON_CALL -> {}
      case HUGE_RESULT -> {
        if (message.path("params").path("arguments").has("text")) {
          result(message);
        } else {
          answer(message, text("x".repeat(50 << 20)));
        }
      }
      case ENDLESS_PROGRESS -> tellProgress(message.get("id").asString());
      case CALL_FLOOD -> {
        for (int i = 0; i < 25_000; i++) {
          progress("nobody's", i, "at " + i);
          tell("notifications/message");
        }
        result(message);
      }
      case INVALID_UTF8 -> answer(message, text("caf\u00e9"));
      case SHAPELESS_RESULT -> answer(message, Map.of("content", "nothing"));
      default -> result(message);
    }
  }

  private void result(JsonNode message) {
    JsonNode parameters = message.path("params");
    JsonNode token = parameters.path("_meta").path("progressToken");
    switch (parameters.path("name").asString()) {
      case "echo" -> answer(message, text(parameters.path("arguments").path("text").asString("")));
      case "env" -> answer(message, text(String.join(",", System.getenv().keySet())));
      case "slow" -> {
        for (int i = 1; i <= 3; i++) {
          progress(token, i, "at " + i);
        }
        answer(message, text("done"));
      }
      default ->
          out.accept(
              JSON.writeValueAsString(
                  Map.of(
                      "jsonrpc", "2.0",
                      "id", message.get("id"),
                      "error", Map.of("code", -32602, "message", "Unknown tool"))));
    }
  }

  private void progress(Object token, int progress, String message) {
    Map<String, Object> told =
        Map.of("progressToken", token, "progress", progress, "total", 3, "message", message);
    out.accept(
        JSON.writeValueAsString(
            Map.of("jsonrpc", "2.0", "method", "notifications/progress", "params", told)));
  }

  /** Until the call is cancelled. */
  private void tellProgress(String token) {
    Thread thread =
        new Thread(
            () -> {
              for (int i = 0; !sawCancellation(); i++) {
                progress(token, i, "still at it");
                LockSupport.parkNanos(1_000_000);
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  boolean sawCancellation() {
    return received.stream()
        .anyMatch(m -> m.path("method").asString("").equals("notifications/cancelled"));
  }

  private static Map<String, Object> text(String text) {
    return Map.of("content", List.of(Map.of("type", "text", "text", text)));
  }

  private void answer(JsonNode message, Object result) {
    if (fault == Fault.WRONG_ID) {
      out.accept(
          JSON.writeValueAsString(Map.of("jsonrpc", "2.0", "id", "nobody's", "result", result)));
    }
    out.accept(
        JSON.writeValueAsString(
            Map.of("jsonrpc", "2.0", "id", message.get("id"), "result", result)));
  }
}
