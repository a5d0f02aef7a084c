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
  /** Deepest nesting of objects and arrays in any JSON that is read; 64, and 127 in any case. */
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
  /** What the scripts of one session may have stored, and 64 bytes for each key; 1 MiB. */
  MAX_STORED_BYTES,
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
  /**
   * What those validators may take; 256 MiB. One that takes more than a sixteenth is compiled for
   * each call.
   */
  VALIDATOR_CACHE_BYTES,
  /** Views kept for rights that no open session has; 256. */
  CACHED_VIEWS,
  /** Scripts that run at the same time, each on a thread of its own; 16. */
  SCRIPT_THREADS,
  /** Scripts that wait for a thread, of which one more is refused; 256. */
  SCRIPT_QUEUE,
  /** Milliseconds that a script waits for a thread before it is given up; 30,000. */
  SCRIPT_QUEUE_MILLIS,
  /** Milliseconds that a script may run, its waiting for tools left out; 30,000. */
  SCRIPT_RUN_MILLIS,
  /** Milliseconds that a script may wait for tools, all its waiting together; 300,000. */
  SCRIPT_WAIT_MILLIS,
  /** Longest script; 64 KiB. */
  SCRIPT_BYTES,
  /** Memory of one script; 64 MiB. */
  SCRIPT_MEMORY_BYTES,
  /** Stack of a script's own calls; 512 KiB, and 4 MiB in any case. */
  SCRIPT_STACK_BYTES,
  /** Calls of tools that one script may make; 64. */
  SCRIPT_CALLS,
  /** Calls of tools that one script has open at the same time; 8. */
  SCRIPT_PARALLEL_CALLS,
  /** Largest result of one call that a script may read; 16 MiB. */
  SCRIPT_RESULT_BYTES,
  /** What a script may write and return before it is stopped; 1 MiB. */
  SCRIPT_OUTPUT_BYTES,
  /** What the model reads of that, its head and its tail; 40,000, about 10,000 tokens. */
  SCRIPT_PREVIEW_BYTES,
  /** What one script may store for later ones; 1 MiB. */
  SCRIPT_STORE_BYTES,
  /** Tools that a script's {@code ALL_TOOLS} lists, the first by name; 1,000. */
  SCRIPT_LISTED_TOOLS;

  static Limit ofKey(String key) {
    return valueOf(key.toUpperCase(Locale.ROOT));
  }

  /** The name in messages and frames, for example {@code max_tools}. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it bounds scripts, which have a native home of their own. */
  boolean isOfScripts() {
    return name().startsWith("SCRIPT_");
  }
}
