package dev.toolcrib;

import java.util.Locale;

/**
 * What is bounded, for one registry and the sessions opened on it. Sizes are bytes of UTF-8 unless
 * the name says otherwise. Each has a default that suits production; set another with {@link
 * ToolRegistry.Builder#limit}.
 */
public enum Limit {
  /** Most sources in a registry; 10,000. */
  MAX_SOURCES,
  /** Most tools in a registry, over all sources; 1,000,000. */
  MAX_TOOLS,
  /** Largest {@code tools/list} page accepted; 64 MiB. */
  MAX_TOOLS_LIST_BYTES,
  /** Largest single tool definition, schemas included; 1 MiB. */
  MAX_TOOL_BYTES,
  /** Longest tool or source description, title or instructions; 64 KiB. */
  MAX_DESCRIPTION_BYTES,
  /** Longest source name or a tool's own name; 512. */
  MAX_NAME_BYTES,
  /** Deepest nesting of objects and arrays in any JSON that is read; 64. */
  MAX_JSON_DEPTH,
  /** Most tags or keywords on one tool; 64. */
  MAX_TAGS,
  /** Longest domain, tag or keyword; 128. */
  MAX_TAG_BYTES,
  /** Deepest nesting of a selection; 32, and {@link ToolSelection#MAX_DEPTH} in any case. */
  MAX_SELECTION_DEPTH,
  /** Most names and other terms in one selection; 1,000,000. */
  MAX_SELECTION_TERMS,
  /** Longest search query, of which the rest is ignored; 2 KiB. */
  MAX_QUERY_BYTES,
  /** Hits of a search that names no limit; 5. */
  DEFAULT_SEARCH_LIMIT,
  /** Most hits of one search, whatever is asked for; 20. */
  MAX_SEARCH_LIMIT,
  /** Most tools in one session's active set; 512. */
  MAX_ACTIVE_TOOLS,
  /** Most marks in one session's journal; 4,096. */
  MAX_MARKS,
  /** Longest position in a journal entry; 256. */
  MAX_POSITION_BYTES,
  /** Largest session snapshot accepted; 4 MiB. */
  MAX_SNAPSHOT_BYTES,
  /** Largest answer of a model that is read for its calls; 16 MiB. */
  MAX_ANSWER_BYTES,
  /** Largest argument object of one call; 1 MiB. */
  MAX_ARGUMENTS_BYTES,
  /** Most problems reported for one invalid call; 8. */
  MAX_PROBLEMS,
  /** Longest argument value repeated in a problem; 64. */
  MAX_PROBLEM_VALUE_BYTES,
  /**
   * Most steps that checking the arguments of one call may take, estimated from above before it
   * starts; 20,000,000, at about 0.1 µs each.
   */
  MAX_VALIDATION_STEPS,
  /** Longest part of a result that goes to the model; 4 KiB. */
  PREVIEW_BYTES,
  /** Largest result of one call; 64 MiB. */
  MAX_RESULT_BYTES,
  /** Largest declaration of one tool for one provider; 256 KiB. */
  MAX_DECLARATION_BYTES,
  /** Compiled argument validators kept, over all tools; 4,096. */
  VALIDATOR_CACHE,
  /** Views kept for rights that no open session has; 256. */
  CACHED_VIEWS;

  static Limit ofKey(String key) {
    return valueOf(key.toUpperCase(Locale.ROOT));
  }

  /** The name in messages and frames, for example {@code max_tools}. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
