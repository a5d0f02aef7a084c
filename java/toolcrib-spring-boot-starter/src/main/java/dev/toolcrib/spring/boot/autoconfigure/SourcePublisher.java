package dev.toolcrib.spring.boot.autoconfigure;

import dev.toolcrib.PublishReport;
import dev.toolcrib.PublishResult;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSource;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts the service's sources into a new registry, and closes it if one cannot be put. */
final class SourcePublisher {

  private static final Logger LOG = LoggerFactory.getLogger(SourcePublisher.class);

  private final ToolRegistry registry;

  SourcePublisher(ToolRegistry registry) {
    this.registry = registry;
  }

  ToolRegistry publish(List<ToolSource> sources) {
    try {
      Set<String> names = new HashSet<>();
      List<ToolSource> sorted = sorted(sources);
      for (ToolSource source : sorted) {
        if (!names.add(source.name())) {
          throw new IllegalStateException(
              "two ToolSource beans are named %s; the second would replace the first"
                  .formatted(source.name()));
        }
      }
      registry.putAll(sorted).forEach(SourcePublisher::require);
      return registry;
    } catch (RuntimeException | Error e) {
      registry.close();
      throw e;
    }
  }

  private static List<ToolSource> sorted(List<ToolSource> sources) {
    return sources.stream().sorted(Comparator.comparing(ToolSource::name)).toList();
  }

  private static void require(PublishResult result) {
    try {
      report(result.source(), result.orElseThrow());
    } catch (RuntimeException e) {
      throw new IllegalStateException(
          "the tool source %s cannot be published: %s".formatted(result.source(), e.getMessage()),
          e);
    }
  }

  private static void report(String source, PublishReport report) {
    LOG.info("Tool source {}: {} tools published", source, report.published());
    for (PublishReport.Quarantined tool : report.quarantined()) {
      LOG.warn(
          "Tool {} of source {} is not published ({}): {}",
          tool.tool(),
          source,
          tool.code(),
          tool.reason());
    }
  }
}
