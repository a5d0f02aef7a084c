package dev.toolcrib;

import java.util.Locale;

/**
 * The wire format that declarations are rendered for. It belongs to an endpoint, not to a model:
 * pick it, never guess it from a model's name.
 */
public enum Target {
  /** Anthropic {@code POST /v1/messages}. */
  ANTHROPIC_MESSAGES,
  /** OpenAI {@code POST /v1/responses}. */
  OPENAI_RESPONSES,
  /** OpenAI {@code POST /v1/chat/completions}. */
  OPENAI_CHAT,
  /** An MCP {@code tools/list} result, any revision from 2025-06-18. */
  MCP,
  /** Gemini {@code generateContent}, schemas under {@code parameters}: every backend takes it. */
  GEMINI_PARAMETERS,
  /** Gemini {@code generateContent}, schemas under {@code parametersJsonSchema}: keeps more. */
  GEMINI_JSON_SCHEMA,
  /** Bedrock Converse with a model of any family. */
  BEDROCK_CONVERSE,
  /** Bedrock Converse with a Claude model: keeps more of the schemas. */
  BEDROCK_CLAUDE,
  /** Mistral chat completions. */
  MISTRAL,
  /** Ollama {@code /api/chat}. */
  OLLAMA,
  /** Any endpoint with OpenAI's chat format: DeepSeek, Qwen, Kimi and those nobody has tested. */
  COMPATIBLE;

  /**
   * The name in configuration and documents, for example {@code anthropic-messages}.
   *
   * @return the id
   */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The target of an id.
   *
   * @param id for example {@code anthropic-messages}
   * @return the target
   * @throws IllegalArgumentException if there is none of this id
   */
  public static Target ofId(String id) {
    for (Target target : values()) {
      if (target.id().equals(id)) {
        return target;
      }
    }
    throw new IllegalArgumentException("there is no target \"%s\"".formatted(id));
  }
}
