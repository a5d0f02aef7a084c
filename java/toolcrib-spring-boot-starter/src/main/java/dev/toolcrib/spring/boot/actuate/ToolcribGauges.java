package dev.toolcrib.spring.boot.actuate;

import dev.toolcrib.RegistryInfo;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.spring.boot.ToolSessions;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToIntFunction;

/**
 * Gauges: {@code toolcrib.sessions}, {@code toolcrib.sources}, {@code toolcrib.tools}, {@code
 * toolcrib.quarantined}.
 */
public final class ToolcribGauges implements MeterBinder {

  private final ToolRegistry registry;
  private final ToolSessions sessions;

  /**
   * Measures.
   *
   * @param registry the registry
   * @param sessions the sessions on it
   */
  public ToolcribGauges(ToolRegistry registry, ToolSessions sessions) {
    this.registry = registry;
    this.sessions = sessions;
  }

  @Override
  public void bindTo(MeterRegistry meters) {
    Gauge.builder("toolcrib.sessions", sessions, ToolSessions::size)
        .description("Sessions kept for conversations")
        .register(meters);
    figure(meters, "toolcrib.sources", "Registered sources", RegistryInfo::sources);
    figure(meters, "toolcrib.tools", "Published tools", RegistryInfo::tools);
    figure(
        meters, "toolcrib.quarantined", "Tools that are not published", RegistryInfo::quarantined);
  }

  private void figure(
      MeterRegistry meters, String name, String description, ToIntFunction<RegistryInfo> figure) {
    Gauge.builder(name, registry, r -> figure.applyAsInt(r.info()))
        .description(description)
        .register(meters);
  }
}
