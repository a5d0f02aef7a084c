package dev.toolcrib.spring.boot.tool;

import dev.toolcrib.Naming;
import dev.toolcrib.ToolCall;
import dev.toolcrib.ToolExecutor;
import dev.toolcrib.ToolSource;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ResourceLoader;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes tools of plain Java objects and functions. Nothing becomes a tool by itself; the source has
 * to be made a bean:
 *
 * <pre>{@code
 * @Bean
 * ToolSource orders(ObjectTools tools, OrderService service) {
 *   return tools.source("orders", service)
 *       .description("Orders of the web shop")
 *       .domain("orders")
 *       .build();
 * }
 * }</pre>
 *
 * <p>Proxies are called as proxies, so that method security, transactions and the like apply.
 */
public final class ObjectTools {

  private final JsonMapper mapper;
  private final ToolSchemas schemas;

  /**
   * Makes tools that read and write JSON with this mapper.
   *
   * @param mapper reads arguments, writes results
   * @param resources loads schemas
   */
  public ObjectTools(JsonMapper mapper, ResourceLoader resources) {
    this.mapper = mapper;
    this.schemas = new ToolSchemas(mapper, resources);
  }

  /**
   * Starts a source with the {@link CribTool} methods of some objects. Their names stay {@linkplain
   * Naming#PLAIN plain}.
   *
   * @param name the source's name
   * @param objects objects, each with at least one annotated method
   * @return the builder, to be described further
   * @throws IllegalArgumentException if an object has no such method, a method cannot be a tool, or
   *     two tools have one name
   */
  public ToolSource.Builder source(String name, Object... objects) {
    ToolSource.Builder source = ToolSource.named(name).naming(Naming.PLAIN);
    Set<String> names = new HashSet<>();
    for (Object object : objects) {
      for (ToolMethod method : ToolMethod.of(object, mapper)) {
        if (!names.add(method.name())) {
          throw new IllegalArgumentException(
              "source %s has two tools named %s; the second is %s"
                  .formatted(name, method.name(), method));
        }
        source.tool(method.definition(schemas), method.executor());
      }
    }
    return source;
  }

  /**
   * An executor that reads the arguments into a class and writes what the function returns.
   *
   * @param arguments the class of the arguments
   * @param function does the work; its result is treated as that of a {@link CribTool} method
   * @param <T> the class of the arguments
   * @return the executor, for {@link ToolSource.Builder#tool(dev.toolcrib.ToolDefinition,
   *     ToolExecutor)}
   */
  public <T> ToolExecutor executor(Class<T> arguments, Function<T, ?> function) {
    return executor(arguments, (read, call) -> function.apply(read));
  }

  /**
   * As {@link #executor(Class, Function)}, for a function that needs to know the call, for example
   * for its caller.
   *
   * @param arguments the class of the arguments
   * @param function does the work
   * @param <T> the class of the arguments
   * @return the executor
   */
  public <T> ToolExecutor executor(Class<T> arguments, BiFunction<T, ToolCall, ?> function) {
    ToolJson json = new ToolJson(mapper);
    return call ->
        json.execute(
            call.arguments(),
            mapper.constructType(arguments),
            (@Nullable Object read) -> function.apply(arguments.cast(read), call));
  }
}
