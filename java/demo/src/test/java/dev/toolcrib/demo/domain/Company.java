package dev.toolcrib.demo.domain;

import dev.toolcrib.CallRequest;
import dev.toolcrib.CallResult;
import dev.toolcrib.Caller;
import dev.toolcrib.PublishReport;
import dev.toolcrib.ToolPage;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSession;
import dev.toolcrib.demo.records.Books;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A company of its own for a test, in which everybody may do everything. */
final class Company implements AutoCloseable {

  static final Caller CN = Caller.of("linsun-cn", "tester");
  static final Caller EU = Caller.of("linsun-eu", "tester");

  private final ToolRegistry registry =
      ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build();
  private final List<PublishReport> reports = new ArrayList<>();

  Company() {
    List<Domain> domains = Domains.all();
    Books books = Domains.books(domains);
    domains.forEach(domain -> reports.add(registry.put(domain.source(books))));
  }

  List<PublishReport> reports() {
    return reports;
  }

  List<ToolPage.Entry> tools() {
    return registry.list(CN, null, 1_000).tools();
  }

  CallResult call(Caller caller, String tool, String arguments) {
    try (ToolSession session = registry.session(caller).open()) {
      return session
          .call(CallRequest.of(tool, arguments.replace('\'', '"')).allowingInactive())
          .join();
    }
  }

  /** What a tool answers in the Chinese company; fails the test if it is an error. */
  JsonNode done(String tool, String arguments) {
    CallResult result = call(CN, tool, arguments);
    if (result.isError()) {
      throw new AssertionError(tool + ": " + result.text());
    }
    return JsonMapper.shared().readTree(result.text());
  }

  /** What a tool says of an error; fails the test if there is none. */
  String failed(String tool, String arguments) {
    CallResult result = call(CN, tool, arguments);
    if (result instanceof CallResult.Failed) {
      return result.text();
    }
    throw new AssertionError(tool + " did not fail: " + result);
  }

  @Override
  public void close() {
    registry.close();
  }
}
