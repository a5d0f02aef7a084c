package dev.toolcrib.mcp;

import dev.toolcrib.PublishReport;
import dev.toolcrib.PublishResult;
import dev.toolcrib.ToolExecutor;
import dev.toolcrib.ToolSource;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the registry has of one server: the whole of what the server said last, or of before. */
final class PublishedTools {

  private static final Logger LOG = LoggerFactory.getLogger(McpSources.class);

  private final McpServerConfig config;
  private final ToolExecutor executor;
  private final McpRuntime runtime;
  private final ReentrantLock lock = new ReentrantLock();
  // All guarded by the lock.
  private @Nullable ToolList published;
  private int count;
  private @Nullable String problem;

  PublishedTools(McpServerConfig config, ToolExecutor executor, McpRuntime runtime) {
    this.config = config;
    this.executor = executor;
    this.runtime = runtime;
  }

  /** How many tools are published. */
  int count() {
    lock.lock();
    try {
      return count;
    } finally {
      lock.unlock();
    }
  }

  /** Why what the server said last is not published; null if it is. */
  @Nullable String problem() {
    lock.lock();
    try {
      return problem;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Publishes a list if it differs from what is published.
   *
   * @param wanted asked before; {@code otherwise} is run if it is not
   * @param then run when it is published, or cannot be
   */
  void publish(ToolList list, BooleanSupplier wanted, Runnable then, Runnable otherwise) {
    if (!wanted.getAsBoolean()) {
      otherwise.run();
      return;
    }
    if (isPublished(list)) {
      then.run();
      return;
    }
    ToolSource source;
    try {
      source = source(list);
    } catch (RuntimeException e) {
      taken(list, new PublishResult(config.name(), null, e));
      then.run();
      return;
    }
    runtime.publish(
        source,
        wanted,
        result -> {
          if (result == null) {
            otherwise.run();
          } else {
            taken(list, result);
            then.run();
          }
        });
  }

  private boolean isPublished(ToolList list) {
    lock.lock();
    try {
      boolean same = list.same(published);
      problem = same ? null : problem;
      return same;
    } finally {
      lock.unlock();
    }
  }

  private void taken(ToolList list, PublishResult result) {
    PublishReport report = result.report();
    lock.lock();
    try {
      if (report == null) {
        problem = "its tools cannot be published: " + result.failure();
        LOG.warn("MCP server {}: {}", config.name(), problem);
        return;
      }
      published = list;
      count = report.published();
      problem = null;
    } finally {
      lock.unlock();
    }
    report
        .quarantined()
        .forEach(
            tool ->
                LOG.warn(
                    "Tool {} of MCP server {} is not published ({}): {}",
                    tool.tool(),
                    config.name(),
                    tool.code(),
                    tool.reason()));
  }

  private ToolSource source(ToolList list) {
    String described = config.description();
    ToolSource.Builder source =
        ToolSource.named(config.name())
            .description(
                described != null ? described : McpServersSection.firstLine(list.instructions()))
            .instructions(list.instructions())
            .domain(config.domain())
            .tags(config.tags().stream().sorted().toList())
            .exposure(config.exposure())
            .executor(executor);
    config.toolExposure().forEach(source::exposure);
    list.pages().forEach(source::toolsList);
    return source.build();
  }
}
