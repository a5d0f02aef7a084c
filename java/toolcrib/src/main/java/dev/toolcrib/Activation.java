package dev.toolcrib;

import java.util.Locale;

/**
 * How a tool that was found comes before the model. It belongs to an endpoint: gateways forward,
 * refuse or silently drop what the provider itself can do.
 */
public enum Activation {
  /**
   * Its declaration is appended to the tools of the next request. Every provider has that; the
   * cached prefix is written anew each time, and a provider that binds thinking to the prefix may
   * refuse.
   */
  GROWING_LIST,
  /**
   * Anthropic: its declaration is appended as deferred, which leaves the cached prefix alone, and
   * stays for ever; the result of {@code tool_search} refers to it.
   */
  ANTHROPIC_REFERENCE,
  /**
   * OpenAI Responses: {@code tool_search} is the provider's own kind of tool, and its answer
   * carries the declarations, which stay in the history.
   */
  OPENAI_CLIENT_SEARCH,
  /**
   * OpenAI Responses: an item behind the result of {@code tool_search} carries the declarations,
   * which stay in the history. More models take it than client search.
   */
  OPENAI_ADDITIONAL_TOOLS,
  /**
   * The declared tools never change: {@code tool_search} and {@code describe_tool} describe tools
   * in text, {@code call_tool} calls them.
   */
  META_TOOL;

  /**
   * The name in configuration and documents, for example {@code growing-list}.
   *
   * @return the id
   */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The activation of an id.
   *
   * @param id for example {@code growing-list}
   * @return the activation
   * @throws IllegalArgumentException if there is none of this id
   */
  public static Activation ofId(String id) {
    for (Activation activation : values()) {
      if (activation.id().equals(id)) {
        return activation;
      }
    }
    throw new IllegalArgumentException("there is no activation \"%s\"".formatted(id));
  }

  /**
   * Whether requests in a format can carry it.
   *
   * @param target the format
   * @return false where the provider has no such thing
   */
  public boolean suits(Target target) {
    return switch (this) {
      case GROWING_LIST, META_TOOL -> true;
      case ANTHROPIC_REFERENCE -> target == Target.ANTHROPIC_MESSAGES;
      case OPENAI_CLIENT_SEARCH, OPENAI_ADDITIONAL_TOOLS -> target == Target.OPENAI_RESPONSES;
    };
  }
}
