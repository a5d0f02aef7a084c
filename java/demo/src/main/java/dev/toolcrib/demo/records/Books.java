package dev.toolcrib.demo.records;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The books of all tenants. A tool reaches only those of the tenant whose user calls it. */
public final class Books {

  private final Map<String, Book> books = new TreeMap<>();

  /**
   * Opens an empty book for every tenant.
   *
   * @param tenants the tenants
   * @param definitions the tables that each book has
   */
  public Books(Set<String> tenants, Collection<Table.Definition> definitions) {
    tenants.forEach(tenant -> books.put(tenant, new Book(definitions)));
  }

  /**
   * The book of a tenant.
   *
   * @throws IllegalArgumentException if there is no such tenant
   */
  public Book of(String tenant) {
    Book book = books.get(tenant);
    if (book == null) {
      throw new IllegalArgumentException("no tenant " + tenant);
    }
    return book;
  }
}
