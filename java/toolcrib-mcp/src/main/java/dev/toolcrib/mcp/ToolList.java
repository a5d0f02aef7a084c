package dev.toolcrib.mcp;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a server said of itself and its tools.
 *
 * @param instructions what it is for
 * @param pages the pages of its list, each an array of tools in JSON
 */
record ToolList(String instructions, List<byte[]> pages) {

  boolean same(@Nullable ToolList other) {
    return other != null
        && instructions.equals(other.instructions)
        && Arrays.deepEquals(pages.toArray(), other.pages.toArray());
  }
}
