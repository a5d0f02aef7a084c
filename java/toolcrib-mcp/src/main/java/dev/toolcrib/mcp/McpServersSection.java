package dev.toolcrib.mcp;

import dev.toolcrib.Caller;
import dev.toolcrib.Exposure;
import dev.toolcrib.ReachedSource;
import dev.toolcrib.ToolRegistry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code mcp_servers} of a system prompt: one line for each source that a caller
 * reaches by search or scripts, with what it is for, and how to reach it. No tools and no schemas.
 *
 * <p>Equal sources and rights give equal bytes. When something changes, leave the section in the
 * prompt as it was, so that what the provider cached stays right, and append {@link #changesSince}.
 */
public final class McpServersSection {

  /** Most characters of the section. */
  public static final int MAX_LENGTH = 4_096;

  /** Most characters that are said of one source. */
  public static final int MAX_SUMMARY = 250;

  private static final String BEGIN = "<mcp_servers>\n";
  private static final String END = "</mcp_servers>";

  private final SortedMap<String, Line> lines;
  private final String text;

  private McpServersSection(SortedMap<String, Line> lines) {
    this.lines = lines;
    text = lines.isEmpty() ? "" : write(lines);
  }

  private record Line(String name, boolean codemode, String summary) {

    String head() {
      return "- %s (%s)".formatted(name, codemode ? "codemode" : "tool_search");
    }

    String write(int summaryLength) {
      String cut = cut(summary, summaryLength);
      return cut.isEmpty() ? head() + "\n" : head() + ": " + cut + "\n";
    }

    private static String cut(String text, int length) {
      if (text.length() <= length) {
        return text;
      }
      int end = Math.max(0, length - 1);
      if (end > 0 && Character.isHighSurrogate(text.charAt(end - 1))) {
        end--;
      }
      return end == 0 ? "" : text.substring(0, end) + "…";
    }
  }

  /**
   * The section for a caller.
   *
   * @param registry the sources
   * @param caller who asks; sees no source of which it may know no tool
   * @param codemode whether the script tool is offered
   * @return the section
   */
  public static McpServersSection of(ToolRegistry registry, Caller caller, boolean codemode) {
    SortedMap<String, Line> lines = new TreeMap<>();
    for (ReachedSource source : registry.sources(caller)) {
      if (source.codemode() + source.deferred() > 0) {
        String summary =
            source.description().isBlank() ? source.instructions() : source.description();
        put(lines, source.name(), codemode && source.codemode() > 0, summary);
      }
    }
    return new McpServersSection(lines);
  }

  /**
   * The same with the MCP servers that are not connected yet, as far as the caller may use all that
   * they could have.
   *
   * @param registry the sources
   * @param caller who asks
   * @param codemode whether the script tool is offered
   * @param servers the servers
   * @return the section
   */
  public static McpServersSection of(
      ToolRegistry registry, Caller caller, boolean codemode, McpSources servers) {
    SortedMap<String, Line> lines = of(registry, caller, codemode).lines;
    List<String> expected = registry.expected(caller);
    for (McpServerConfig server : servers.configs()) {
      if (expected.contains(server.name()) && isIndirect(server)) {
        String described = server.description();
        put(
            lines,
            server.name(),
            codemode && exposes(server, Exposure.CODEMODE),
            described == null ? "" : described);
      }
    }
    return new McpServersSection(lines);
  }

  private static boolean isIndirect(McpServerConfig server) {
    return exposes(server, Exposure.CODEMODE) || exposes(server, Exposure.DEFERRED);
  }

  private static boolean exposes(McpServerConfig server, Exposure exposure) {
    return server.exposure() == exposure || server.toolExposure().containsValue(exposure);
  }

  private static void put(
      Map<String, Line> lines, String name, boolean codemode, String description) {
    String summary = firstLine(description);
    // What a server says of itself must not end the section or begin another.
    lines.put(name, new Line(name, codemode, summary.replace('<', '‹').replace('>', '›')));
  }

  /** The first line of what a server says, which ends at all that may pass for the end of one. */
  static String firstLine(String said) {
    return said.strip().split("\\R", 2)[0].strip();
  }

  private static String write(Map<String, Line> all) {
    List<Line> kept = new ArrayList<>(all.values());
    String intro = BEGIN + intro(kept);
    // First as many heads as fit, then what is left is shared among the summaries.
    int room = MAX_LENGTH - intro.length() - END.length();
    int heads = kept.stream().mapToInt(line -> line.head().length() + 1).sum();
    String omitted = "";
    while (heads + omitted.length() > room) {
      heads -= kept.remove(kept.size() - 1).head().length() + 1;
      omitted =
          "And %s more, whose tools are found in the same way.\n"
              .formatted(all.size() - kept.size());
    }
    int left = room - heads - omitted.length();
    Map<Line, Integer> shares = shares(kept, left);
    StringBuilder text = new StringBuilder(intro);
    kept.forEach(line -> text.append(line.write(shares.getOrDefault(line, 0))));
    return text.append(omitted).append(END).toString();
  }

  /** Shares out characters: who needs less than an equal share leaves the rest to the others. */
  private static Map<Line, Integer> shares(List<Line> lines, int characters) {
    List<Line> byNeed = new ArrayList<>(lines);
    byNeed.sort(java.util.Comparator.comparingInt(line -> line.summary().length()));
    Map<Line, Integer> shares = new LinkedHashMap<>();
    int left = characters;
    for (int i = 0; i < byNeed.size(); i++) {
      int separator = 2;
      int fair = left / (byNeed.size() - i) - separator;
      Line line = byNeed.get(i);
      int share = Math.max(0, Math.min(Math.min(MAX_SUMMARY, fair), line.summary().length()));
      shares.put(line, share);
      left -= share == 0 ? 0 : share + separator;
    }
    return shares;
  }

  private static String intro(Collection<Line> lines) {
    StringBuilder intro = new StringBuilder("The tools of these servers are not listed here.");
    if (lines.stream().anyMatch(line -> !line.codemode())) {
      intro.append(" Find those of servers marked tool_search with that tool.");
    }
    if (lines.stream().anyMatch(Line::codemode)) {
      intro.append(
          " Reach those of servers marked codemode from a script; it can search them too.");
    }
    return intro.append('\n').toString();
  }

  /**
   * The section.
   *
   * @return its text, with its tags; empty if there is no such source
   */
  public String text() {
    return text;
  }

  /**
   * What to tell a model that has read an earlier section.
   *
   * @param earlier the earlier section
   * @return the changes as text, at most as long as a section; empty if there are none
   */
  public String changesSince(McpServersSection earlier) {
    StringBuilder changes = new StringBuilder();
    for (Line line : lines.values()) {
      Line before = earlier.lines.get(line.name());
      if (!Objects.equals(before, line)) {
        append(changes, (before == null ? "new: " : "now: ") + line.write(MAX_SUMMARY));
      }
    }
    for (String name : earlier.lines.keySet()) {
      if (!lines.containsKey(name)) {
        append(changes, "gone: - " + name + "\n");
      }
    }
    return changes.isEmpty() ? "" : "<mcp_servers_changes>\n" + changes + "</mcp_servers_changes>";
  }

  private static void append(StringBuilder changes, String line) {
    String more = "and more\n";
    int room = MAX_LENGTH - 64;
    if (changes.length() + line.length() <= room) {
      changes.append(line);
    } else if (changes.lastIndexOf(more) < 0) {
      changes.append(more);
    }
  }

  @Override
  public boolean equals(@Nullable Object o) {
    return o instanceof McpServersSection other && lines.equals(other.lines);
  }

  @Override
  public int hashCode() {
    return lines.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
