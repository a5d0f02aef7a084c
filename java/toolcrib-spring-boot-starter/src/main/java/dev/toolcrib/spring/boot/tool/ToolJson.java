package dev.toolcrib.spring.boot.tool;

import dev.toolcrib.ToolExecutor;
import dev.toolcrib.ToolResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/** Reads arguments before, and writes the result after a Java function was called. */
final class ToolJson {

  private static final Logger LOG = LoggerFactory.getLogger(ToolExecutor.class);

  private final JsonMapper mapper;

  ToolJson(JsonMapper mapper) {
    this.mapper = mapper;
  }

  CompletionStage<ToolResult> execute(String arguments, JavaType type, Body body) throws Exception {
    Object read;
    try {
      read = type.hasRawClass(String.class) ? arguments : mapper.readValue(arguments, type);
    } catch (JacksonException e) {
      // They satisfy the schema, so schema and class do not agree. The message names Java classes.
      LOG.warn("arguments cannot be read as {}", type.toCanonical(), e);
      return CompletableFuture.completedFuture(
          ToolResult.error("The arguments could not be read" + where(e) + "."));
    }
    Object result = body.call(read);
    if (result instanceof CompletionStage<?> stage) {
      return stage.thenApply(this::write);
    }
    return CompletableFuture.completedFuture(write(result));
  }

  private ToolResult write(@Nullable Object result) {
    if (result instanceof ToolResult done) {
      return done;
    }
    if (result instanceof CharSequence text) {
      return ToolResult.text(text.toString());
    }
    return result == null
        ? ToolResult.text("Done.")
        : ToolResult.json(mapper.writeValueAsString(result));
  }

  private static String where(JacksonException e) {
    StringBuilder path = new StringBuilder();
    for (JacksonException.Reference step : e.getPath()) {
      path.append('/');
      path.append(step.getPropertyName() != null ? step.getPropertyName() : step.getIndex());
    }
    return path.isEmpty() ? "" : " at " + path;
  }

  /** The function, given the arguments that were read. */
  @FunctionalInterface
  interface Body {
    @Nullable Object call(@Nullable Object arguments) throws Exception;
  }
}
