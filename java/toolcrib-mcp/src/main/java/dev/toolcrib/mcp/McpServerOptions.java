package dev.toolcrib.mcp;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How tools are served to MCP clients.
 *
 * @param name the server's name, as clients read it
 * @param title the name that people read; null for none
 * @param instructions what models are told about the server; null for none
 * @param sessionMode whether tools that a session found appear in its own {@code tools/list}, and
 *     its client is told of it: for clients of revisions up to 2025-11-25 that heed {@code
 *     list_changed}. Otherwise the list depends on rights only, and tools that were found are
 *     called through {@code call_tool}
 * @param withheld which of {@code tool_search}, {@code describe_tool}, {@code call_tool} and {@code
 *     codemode} are not offered
 * @param codemode whether clients may run scripts that call tools: whether {@code codemode} is
 *     offered, to callers who may use a tool that scripts reach
 * @param pageSize most tools on a page of {@code tools/list}
 * @param wholeResults whether clients get results as tools gave them; otherwise texts are cut to
 *     {@link dev.toolcrib.Limit#PREVIEW_BYTES}, as models in this process see them
 */
public record McpServerOptions(
    String name,
    @Nullable String title,
    @Nullable String instructions,
    boolean sessionMode,
    Set<String> withheld,
    boolean codemode,
    int pageSize,
    boolean wholeResults) {

  /** Tools on a page unless set: clients that read the first page only lose little by it. */
  public static final int DEFAULT_PAGE_SIZE = 500;

  /** Checks the size of a page. */
  public McpServerOptions {
    if (pageSize < 1) {
      throw new IllegalArgumentException("a page of %s tools".formatted(pageSize));
    }
    withheld = Set.copyOf(withheld);
  }

  /**
   * What is so unless set: no sessions of tools, all meta-tools but {@code codemode}, whole
   * results.
   *
   * @return the defaults
   */
  public static McpServerOptions defaults() {
    return new McpServerOptions(
        "toolcrib", null, null, false, Set.of(), false, DEFAULT_PAGE_SIZE, true);
  }

  /**
   * These options in session mode, or not.
   *
   * @param value whether tools that were found appear in the session's list
   * @return new options
   */
  public McpServerOptions withSessionMode(boolean value) {
    return new McpServerOptions(
        name, title, instructions, value, withheld, codemode, pageSize, wholeResults);
  }

  /**
   * These options with another size of pages.
   *
   * @param value most tools on a page
   * @return new options
   */
  public McpServerOptions withPageSize(int value) {
    return new McpServerOptions(
        name, title, instructions, sessionMode, withheld, codemode, value, wholeResults);
  }

  /**
   * These options without some of the meta-tools.
   *
   * @param names which
   * @return new options
   */
  public McpServerOptions withWithheld(Set<String> names) {
    return new McpServerOptions(
        name, title, instructions, sessionMode, names, codemode, pageSize, wholeResults);
  }

  /**
   * These options with scripts, or without.
   *
   * @param value whether {@code codemode} is offered
   * @return new options
   */
  public McpServerOptions withCodemode(boolean value) {
    return new McpServerOptions(
        name, title, instructions, sessionMode, withheld, value, pageSize, wholeResults);
  }
}
