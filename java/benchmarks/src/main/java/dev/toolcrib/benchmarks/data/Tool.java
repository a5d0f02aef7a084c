package dev.toolcrib.benchmarks.data;

/**
 * A tool as every engine gets it.
 *
 * @param source the server that offers it, never blank
 * @param category what the source is for; may be empty
 * @param name its name within the source
 * @param description its description; may be empty
 * @param inputSchema its input schema, a JSON text
 * @param parameters names and descriptions of its parameters, as one text
 */
public record Tool(
    String source,
    String category,
    String name,
    String description,
    String inputSchema,
    String parameters) {

  /** How many business domains there are. */
  public static final int DOMAINS = 64;

  /** The business domain that its source is given, one of {@link #DOMAINS}. */
  public String domain() {
    return domain(Math.floorMod(source.hashCode(), DOMAINS));
  }

  /** The name of a domain: a word that no question has. */
  public static String domain(int number) {
    return "zq" + number;
  }

  /** What tells a tool from all others, whichever engine finds it. */
  public String key() {
    return source + '/' + name;
  }
}
