package dev.toolcrib;

/**
 * A moment in a session's journal, to {@linkplain ToolSession#rewind rewind} to. Means something
 * only to its own session and to forks made after it.
 */
public final class Checkpoint {

  final long entries;

  Checkpoint(long entries) {
    this.entries = entries;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Checkpoint other && entries == other.entries;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(entries);
  }

  @Override
  public String toString() {
    return "Checkpoint[" + entries + "]";
  }
}
