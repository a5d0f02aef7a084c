package dev.toolcrib.mcp;

import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;

/** Keeps the last lines of what a program says, within a number of characters. */
final class LastLines {

  private static final int LONGEST = 1_000;

  private final int max;
  private final ArrayDeque<String> lines = new ArrayDeque<>();
  private final ReentrantLock lock = new ReentrantLock();
  private int characters;

  LastLines(int max) {
    this.max = max;
  }

  void add(String line) {
    String cut = line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line;
    lock.lock();
    try {
      lines.add(cut);
      characters += cut.length();
      while (characters > max && lines.size() > 1) {
        characters -= lines.remove().length();
      }
    } finally {
      lock.unlock();
    }
  }

  String text() {
    lock.lock();
    try {
      return String.join("\n", lines);
    } finally {
      lock.unlock();
    }
  }
}
