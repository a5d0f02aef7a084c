package dev.toolcrib.mcp;

import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpTransportSessionNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/** A server that now and then does what it should, and remembers which lists it gave as a whole. */
final class RandomServer {

  /** A list whose last page was given: what has to be published of it, and what may be. */
  record Listed(Set<String> good, Set<String> all) {}

  private static final Map<String, List<?>> SHAPES = new LinkedHashMap<>();

  static {
    SHAPES.put("description", List.of("Does something", ""));
    SHAPES.put("inputSchema", List.of(Map.of("type", "object"), Map.of()));
    SHAPES.put("outputSchema", List.of(Map.of("type", "object")));
    SHAPES.put("annotations", List.of(Map.of("readOnlyHint", true)));
    SHAPES.put("_meta", List.of(Map.of("a", 1)));
  }

  final List<Listed> complete = new CopyOnWriteArrayList<>();
  private final long seed;
  private final Executor threads;
  private final AtomicInteger attempts = new AtomicInteger();

  RandomServer(long seed, Executor threads) {
    this.seed = seed;
    this.threads = threads;
  }

  McpClientTransport connect() {
    return new Attempt(attempts.incrementAndGet());
  }

  /** One connection; its requests come one after the other. */
  private final class Attempt implements McpClientTransport {
    private final int number;
    private final RandomJson random;
    private Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler = message -> message;
    private Consumer<Throwable> failures = failure -> {};
    private Set<String> good = new LinkedHashSet<>();
    private Set<String> all = new LinkedHashSet<>();
    private int pages;

    Attempt(int number) {
      this.number = number;
      random = new RandomJson(new Random(seed * 31 + number));
    }

    @Override
    public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> incoming) {
      handler = incoming;
      return Mono.empty();
    }

    @Override
    public void setExceptionHandler(Consumer<Throwable> consumer) {
      failures = consumer;
    }

    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
      return Mono.fromRunnable(
          () -> {
            JsonNode node = Json.tree(Json.text(message));
            threads.execute(() -> receive(node));
          });
    }

    private synchronized void receive(JsonNode message) {
      if (!message.has("id") || !message.has("method")) {
        return;
      }
      String id = message.path("id").asString();
      if (random.chance(20)) {
        deliver(random.one(unasked(id)));
      }
      switch (random.below(35)) {
        case 0 -> {}
        case 1 -> failures.accept(new McpTransportSessionNotFoundException("gone"));
        case 2 -> deliver(Map.of("jsonrpc", "2.0", "id", "nobody's", "result", Map.of()));
        case 3 -> deliver(Map.of("jsonrpc", "2.0", "id", 7, "result", Map.of()));
        case 4 -> deliver(answer(id, "result", random.value(3)));
        case 5 -> deliver(answer(id, "error", random.value(2)));
        case 6 -> deliver(answer(id, "error", Map.of("code", -32000, "message", random.text())));
        case 7 -> text(random.damaged(RandomJson.write(answer(id, "result", Map.of("tools", 1)))));
        case 8 -> text(random.text());
        default -> right(message, id);
      }
    }

    private void right(JsonNode message, String id) {
      Object result =
          switch (message.path("method").asString()) {
            case "initialize" -> introduction();
            case "tools/list" -> page(!message.path("params").has("cursor"));
            default -> result();
          };
      deliver(answer(id, "result", result));
      if (random.chance(5)) {
        deliver(answer(id, "result", random.value(2)));
      }
    }

    private Map<String, @Nullable Object> introduction() {
      Map<String, @Nullable Object> said = new LinkedHashMap<>();
      said.put("protocolVersion", "2025-06-18");
      said.put("capabilities", Map.of("tools", Map.of("listChanged", true)));
      said.put("serverInfo", random.value(1));
      said.put("instructions", random.chance(70) ? "A server" : random.value(1));
      return said;
    }

    private Map<String, @Nullable Object> page(boolean first) {
      if (first) {
        good = new LinkedHashSet<>();
        all = new LinkedHashSet<>();
        pages = 0;
      }
      pages++;
      List<@Nullable Object> tools = new ArrayList<>();
      for (int i = random.below(5); i > 0; i--) {
        tools.add(tool("a%d_p%d_t%d".formatted(number, pages, i)));
      }
      Map<String, @Nullable Object> page = new LinkedHashMap<>();
      page.put("tools", tools);
      Object next =
          switch (random.below(8)) {
            case 0, 1 -> "page" + pages;
            case 2, 3 -> "again";
            case 4 -> random.value(1);
            default -> null;
          };
      if (next != null) {
        page.put("nextCursor", next);
      }
      if (!(next instanceof String)) {
        complete.add(new Listed(good, all));
      }
      return page;
    }

    private @Nullable Object tool(String name) {
      if (random.chance(10)) {
        return random.value(3);
      }
      all.add(name);
      if (random.chance(60)) {
        good.add(name);
        return Map.of("name", name, "inputSchema", Map.of("type", "object"));
      }
      Map<String, @Nullable Object> odd = random.object(SHAPES);
      odd.put("name", name);
      return odd;
    }

    private @Nullable Object result() {
      return switch (random.below(5)) {
        case 0 -> Map.of("content", List.of(Map.of("type", "text", "text", random.text())));
        case 1 -> answer("x", "content", random.value(3));
        case 2 -> answer("x", "structuredContent", random.value(4));
        case 3 -> random.value(3);
        default -> {
          Map<String, @Nullable Object> block = new LinkedHashMap<>();
          block.put("type", random.one(List.of("image", "resource", "resource_link", "odd")));
          block.put(random.one(List.of("data", "resource", "uri", "text")), random.value(2));
          List<Object> blocks = new ArrayList<>();
          blocks.add(block);
          yield Map.of("content", blocks, "isError", random.chance(50));
        }
      };
    }

    private List<Map<String, @Nullable Object>> unasked(String id) {
      return List.of(
          notification("notifications/tools/list_changed", null),
          notification("notifications/progress", Map.of("progressToken", id, "progress", 1)),
          notification("notifications/progress", random.value(2)),
          notification(random.text(), random.value(2)),
          answer(random.text(), "method", "sampling/createMessage"),
          answer("9", "method", "ping"),
          answer("10", "method", random.value(1)));
    }

    private static Map<String, @Nullable Object> notification(
        String method, @Nullable Object parameters) {
      Map<String, @Nullable Object> message = new LinkedHashMap<>();
      message.put("jsonrpc", "2.0");
      message.put("method", method);
      message.put("params", parameters);
      return message;
    }

    private static Map<String, @Nullable Object> answer(
        String id, String key, @Nullable Object value) {
      Map<String, @Nullable Object> message = new LinkedHashMap<>();
      message.put("jsonrpc", "2.0");
      message.put("id", id);
      message.put(key, value);
      return message;
    }

    private void deliver(Map<String, @Nullable Object> message) {
      text(RandomJson.write(message));
    }

    /** As the SDK's transport does: what is no message goes to who hears of failures. */
    private void text(String json) {
      JSONRPCMessage message;
      try {
        message = McpSchema.deserializeJsonRpcMessage(Json.MCP, json);
      } catch (IOException | RuntimeException e) {
        failures.accept(e);
        return;
      }
      handler.apply(Mono.just(message)).subscribe();
    }

    @Override
    public Mono<Void> closeGracefully() {
      return Mono.empty();
    }

    @Override
    public <T> @Nullable T unmarshalFrom(Object data, TypeRef<T> type) {
      return Json.MCP.convertValue(data, type);
    }
  }
}
