package dev.toolcrib.demo.domain;

import dev.toolcrib.ToolSource;
import dev.toolcrib.demo.access.Tenant;
import dev.toolcrib.demo.records.Books;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.core.env.Environment;

/** Registers the company's books, and every domain as a {@link ToolSource} bean. */
public final class Domains implements BeanRegistrar {

  @Override
  public void register(BeanRegistry registry, Environment environment) {
    List<Domain> domains = all();
    registry.registerBean(Books.class, spec -> spec.supplier(context -> books(domains)));
    for (Domain domain : domains) {
      registry.registerBean(
          domain.name() + "Tools",
          ToolSource.class,
          spec -> spec.supplier(context -> domain.source(context.bean(Books.class))));
    }
  }

  /** New objects of all domains. */
  static List<Domain> all() {
    return List.of(
        new Orders(),
        new Inventory(),
        new Logistics(),
        new Purchasing(),
        new Production(),
        new Quality(),
        new People(),
        new Marketing(),
        new Customers(),
        new Invoices(),
        new Finance(),
        new Technology(),
        new Facilities(),
        new Legal());
  }

  /** The books of all tenants, with what the domain files put into them. */
  static Books books(List<Domain> domains) {
    Set<String> tenants = Stream.of(Tenant.values()).map(Tenant::id).collect(Collectors.toSet());
    Books books =
        new Books(tenants, domains.stream().flatMap(domain -> domain.tables().stream()).toList());
    domains.forEach(domain -> domain.seed(books, tenants));
    return books;
  }
}
