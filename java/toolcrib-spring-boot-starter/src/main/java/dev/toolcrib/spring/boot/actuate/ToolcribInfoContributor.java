package dev.toolcrib.spring.boot.actuate;

import dev.toolcrib.RegistryInfo;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.Toolcrib;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/** Versions and figures; no names, since the info endpoint is often open to everybody. */
public final class ToolcribInfoContributor implements InfoContributor {

  private final ToolRegistry registry;

  /**
   * Tells of a registry.
   *
   * @param registry the registry
   */
  public ToolcribInfoContributor(ToolRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void contribute(Info.Builder builder) {
    RegistryInfo info = registry.info();
    builder.withDetail(
        "toolcrib",
        new TreeMap<>(
            Map.of(
                "version", Toolcrib.version().version(),
                "registryVersion", info.version(),
                "sources", info.sources(),
                "tools", info.tools(),
                "quarantined", info.quarantined())));
  }
}
