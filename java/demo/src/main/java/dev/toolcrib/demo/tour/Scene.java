package dev.toolcrib.demo.tour;

/** A part of the demo that stands for itself. */
@FunctionalInterface
interface Scene {

  /**
   * Plays it and checks what came of it.
   *
   * @throws Exception if something went wrong that nobody expected
   */
  void play() throws Exception;
}
