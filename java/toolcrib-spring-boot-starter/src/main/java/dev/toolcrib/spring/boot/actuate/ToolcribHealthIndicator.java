package dev.toolcrib.spring.boot.actuate;

import dev.toolcrib.RegistryInfo;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.spring.boot.ToolSessions;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Up while the registry answers. Quarantined tools do not make it less: the others work, and a
 * restart would not mend them.
 */
public final class ToolcribHealthIndicator extends AbstractHealthIndicator {

  private final ToolRegistry registry;
  private final ToolSessions sessions;

  /**
   * Asks a registry.
   *
   * @param registry the registry
   * @param sessions the sessions on it
   */
  public ToolcribHealthIndicator(ToolRegistry registry, ToolSessions sessions) {
    super("the tool registry does not answer");
    this.registry = registry;
    this.sessions = sessions;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    RegistryInfo info = registry.info();
    builder
        .up()
        .withDetail("registryVersion", info.version())
        .withDetail("sources", info.sources())
        .withDetail("tools", info.tools())
        .withDetail("quarantined", info.quarantined())
        .withDetail("sessions", sessions.size());
  }
}
