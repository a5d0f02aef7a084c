package dev.toolcrib.demo.records;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/** Everything one tenant has. A tool works on it as a whole, one tool at a time. */
public final class Book {

  private final Map<String, Table> tables = new LinkedHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();

  Book(Collection<Table.Definition> definitions) {
    definitions.forEach(definition -> tables.put(definition.name(), new Table(definition)));
  }

  /** Runs work that nobody else can see half done. */
  public <T> T whole(Function<Book, T> work) {
    lock.lock();
    try {
      return work.apply(this);
    } finally {
      lock.unlock();
    }
  }

  /**
   * A table.
   *
   * @throws IllegalArgumentException if no resource file defines it
   */
  public Table table(String name) {
    Table table = tables.get(name);
    if (table == null) {
      throw new IllegalArgumentException("no table " + name);
    }
    return table;
  }

  /** The table whose rows are identified by a field of this name. */
  public Optional<Table> identifiedBy(String field) {
    return tables.values().stream().filter(t -> t.definition().id().equals(field)).findFirst();
  }
}
