package dev.toolcrib.spring.boot.web;

import dev.toolcrib.Activation;
import dev.toolcrib.Endpoint;
import dev.toolcrib.Target;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/**
 * The endpoint of a model as a request says it; what is null is as the library has it.
 *
 * @param target the wire format
 * @param provider whether it is the provider's own endpoint, with all that it can do
 * @param activation how tools that are found come before the model
 * @param strict whether strict declarations are wanted
 * @param cacheBreakpoint whether a cache mark is wanted
 * @param searchRenamed whether the search tool must have another name than the provider's own
 * @param maxTools most tools of a request
 */
record RequestedEndpoint(
    @Nullable String target,
    @Nullable Boolean provider,
    @Nullable String activation,
    @Nullable Boolean strict,
    @Nullable Boolean cacheBreakpoint,
    @Nullable Boolean searchRenamed,
    @Nullable Integer maxTools) {

  /** What is asked for by a mere target, or by more; null where by nothing. */
  static @Nullable Endpoint of(@Nullable String target, @Nullable RequestedEndpoint more) {
    if (more == null) {
      return target == null ? null : Endpoint.of(target(target));
    }
    if (target != null) {
      throw badRequest("invalid_request", "Give either target or endpoint.");
    }
    return more.endpoint();
  }

  private Endpoint endpoint() {
    if (target == null) {
      throw badRequest("invalid_target", "endpoint has no target.");
    }
    Target format = target(target);
    Endpoint endpoint =
        Boolean.TRUE.equals(provider) ? Endpoint.ofProvider(format) : Endpoint.of(format);
    if (activation != null) {
      endpoint = endpoint.withActivation(word("activation", Activation.values(), activation));
    }
    if (strict != null) {
      endpoint = endpoint.withStrict(strict);
    }
    if (cacheBreakpoint != null) {
      endpoint = endpoint.withCacheBreakpoint(cacheBreakpoint);
    }
    if (searchRenamed != null) {
      endpoint = endpoint.withSearchRenamed(searchRenamed);
    }
    return maxTools == null
        ? endpoint
        : endpoint.withBudget(Endpoint.Budget.UNLIMITED.withMaxTools(maxTools));
  }

  private static Target target(String word) {
    return word("target", Target.values(), word);
  }

  private static <E extends Enum<E>> E word(String property, E[] values, String word) {
    Function<E, String> name = value -> value.name().toLowerCase(Locale.ROOT);
    return Arrays.stream(values)
        .filter(value -> name.apply(value).equals(word.toLowerCase(Locale.ROOT).replace('-', '_')))
        .findFirst()
        .orElseThrow(
            () ->
                badRequest(
                    "invalid_" + property,
                    property
                        + " is none of "
                        + Arrays.stream(values).map(name).collect(Collectors.joining(", "))));
  }

  private static ToolProblemException badRequest(String code, String detail) {
    return new ToolProblemException(HttpStatus.BAD_REQUEST, code, detail, null);
  }
}
