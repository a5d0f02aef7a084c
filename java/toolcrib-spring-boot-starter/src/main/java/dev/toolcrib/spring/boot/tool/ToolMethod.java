package dev.toolcrib.spring.boot.tool;

import dev.toolcrib.Caller;
import dev.toolcrib.ToolAnnotations;
import dev.toolcrib.ToolCall;
import dev.toolcrib.ToolDefinition;
import dev.toolcrib.ToolExecutor;
import dev.toolcrib.spring.boot.tool.CribTool.Hint;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/** An annotated method of an object. */
final class ToolMethod {

  private final Object object;
  private final Method method;
  private final CribTool annotation;
  private final JsonMapper mapper;
  private final @Nullable Parameter arguments;

  private ToolMethod(Object object, Method method, CribTool annotation, JsonMapper mapper) {
    this.object = object;
    this.method = AopUtils.selectInvocableMethod(method, object.getClass());
    this.annotation = annotation;
    this.mapper = mapper;
    List<Parameter> read =
        Arrays.stream(method.getParameters()).filter(p -> !isGiven(p.getType())).toList();
    if (read.size() > 1) {
      throw new IllegalArgumentException(
          "%s takes its arguments apart; take them as one record".formatted(this));
    }
    arguments = read.isEmpty() ? null : read.get(0);
    this.method.trySetAccessible();
  }

  /** The annotated methods, ordered by name; reflection gives them in any order. */
  static List<ToolMethod> of(Object object, JsonMapper mapper) {
    Class<?> type = AopUtils.getTargetClass(object);
    Map<Method, CribTool> annotated =
        MethodIntrospector.selectMethods(
            type,
            (Method method) -> AnnotatedElementUtils.findMergedAnnotation(method, CribTool.class));
    if (annotated.isEmpty()) {
      throw new IllegalArgumentException(
          "%s has no method that is annotated with @CribTool".formatted(type.getName()));
    }
    return annotated.entrySet().stream()
        .map(entry -> new ToolMethod(object, entry.getKey(), entry.getValue(), mapper))
        .sorted(Comparator.comparing(ToolMethod::name))
        .toList();
  }

  String name() {
    return annotation.name().isEmpty() ? method.getName() : annotation.name();
  }

  ToolDefinition definition(ToolSchemas schemas) {
    return ToolDefinition.named(name())
        .title(orNull(annotation.title()))
        .description(annotation.description())
        .inputSchema(inputSchema(schemas))
        .outputSchema(orNull(schemas.resolve(annotation.outputSchema())))
        .annotations(hints())
        .domain(orNull(annotation.domain()))
        .tags(annotation.tags())
        .keywords(annotation.keywords())
        .exposure(annotation.exposure().length == 0 ? null : annotation.exposure()[0])
        .build();
  }

  ToolExecutor executor() {
    ToolJson json = new ToolJson(mapper);
    JavaType type =
        mapper.constructType(arguments == null ? Map.class : arguments.getParameterizedType());
    return call -> json.execute(call.arguments(), type, read -> invoke(call, read));
  }

  private @Nullable Object invoke(ToolCall call, @Nullable Object read) throws Exception {
    Object[] values =
        Arrays.stream(method.getParameterTypes())
            .map(
                type -> type == ToolCall.class ? call : type == Caller.class ? call.caller() : read)
            .toArray();
    try {
      return method.invoke(object, values);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Exception thrown) {
        throw thrown;
      }
      if (e.getCause() instanceof Error thrown) {
        throw thrown;
      }
      throw e;
    }
  }

  private String inputSchema(ToolSchemas schemas) {
    if (!annotation.inputSchema().isEmpty()) {
      return schemas.resolve(annotation.inputSchema());
    }
    if (arguments == null) {
      return "";
    }
    Class<?> type = arguments.getType();
    if (type == String.class || Map.class.isAssignableFrom(type) || type == Object.class) {
      throw new IllegalArgumentException(
          "%s takes its arguments as %s, which says nothing of them: set inputSchema"
              .formatted(this, type.getSimpleName()));
    }
    Type generic = arguments.getParameterizedType();
    return schemas.derive(generic);
  }

  private ToolAnnotations hints() {
    List<Hint> hints = List.of(annotation.hints());
    return new ToolAnnotations(
        null,
        said(hints, Hint.READ_ONLY, null),
        said(hints, Hint.DESTRUCTIVE, Hint.NOT_DESTRUCTIVE),
        said(hints, Hint.IDEMPOTENT, null),
        said(hints, Hint.OPEN_WORLD, Hint.CLOSED_WORLD));
  }

  private @Nullable Boolean said(List<Hint> hints, Hint yes, @Nullable Hint no) {
    boolean denied = no != null && hints.contains(no);
    if (denied && hints.contains(yes)) {
      throw new IllegalArgumentException("%s hints at %s and %s".formatted(this, yes, no));
    }
    return hints.contains(yes) ? Boolean.TRUE : denied ? Boolean.FALSE : null;
  }

  private static boolean isGiven(Class<?> type) {
    return type == Caller.class || type == ToolCall.class;
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  @Override
  public String toString() {
    return method.getDeclaringClass().getSimpleName() + "." + method.getName();
  }
}
