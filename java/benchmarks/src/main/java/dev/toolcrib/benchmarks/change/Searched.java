package dev.toolcrib.benchmarks.change;

import dev.toolcrib.benchmarks.data.Tool;
import java.util.List;
import java.util.function.Consumer;

/**
 * Something that is searched by many threads while it changes. Changes come from one thread, each
 * takes effect for searches that start after it.
 */
interface Searched extends AutoCloseable {

  /** Gives a thread its search, in a session of its own; all sessions are of one caller. */
  Consumer<String> searcher();

  /** Keys of what the caller finds now. */
  List<String> find(String question);

  /** Gives the caller the one set of rights and the other in turn. */
  void changeRights(int round);

  /** Replaces one tool. */
  void changeTool(Tool tool);

  /** Replaces a whole source. */
  void replaceSource(List<Tool> tools);

  @Override
  void close();
}
