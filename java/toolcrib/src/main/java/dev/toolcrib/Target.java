package dev.toolcrib;

/** The wire format that declarations are rendered for. */
public enum Target {
  /** {@code tools} of Anthropic's Messages API. */
  ANTHROPIC_MESSAGES,
  /** {@code tools} of OpenAI's Responses API. */
  OPENAI_RESPONSES,
  /** {@code tools} of OpenAI's Chat Completions API, and of the many that imitate it. */
  OPENAI_CHAT,
  /** {@code tools} of an MCP {@code tools/list} result. */
  MCP
}
