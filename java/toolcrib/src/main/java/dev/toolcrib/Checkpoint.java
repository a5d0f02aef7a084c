package dev.toolcrib;

/**
 * A moment in a session's journal, to {@linkplain ToolSession#rewind rewind} to. Means something
 * only to its own session and to forks made after it.
 */
public final class Checkpoint {

  final long id;

  Checkpoint(long id) {
    this.id = id;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Checkpoint other && id == other.id;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(id);
  }

  @Override
  public String toString() {
    return "Checkpoint[" + id + "]";
  }
}
