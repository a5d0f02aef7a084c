package dev.toolcrib.benchmarks.script;

/** Runs a script to its end, in an engine of its own that is thrown away after it. */
interface ScriptEngines extends AutoCloseable {

  /**
   * Runs a script; may be called by several threads.
   *
   * @param code the body of an async function
   * @return what it returned as JSON; "" for nothing
   */
  String run(String code) throws Exception;

  @Override
  void close();
}
