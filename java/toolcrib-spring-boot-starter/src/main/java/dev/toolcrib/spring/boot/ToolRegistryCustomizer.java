package dev.toolcrib.spring.boot;

import dev.toolcrib.ToolRegistry;

/**
 * Changes how the auto-configured {@link ToolRegistry} is built, for example what runs tools. Beans
 * of this type are asked in order, after the properties were applied.
 */
@FunctionalInterface
public interface ToolRegistryCustomizer {

  /**
   * Changes the builder.
   *
   * @param builder the builder, with the authorizer and the properties applied
   */
  void customize(ToolRegistry.Builder builder);
}
