package dev.toolcrib.spring.boot.autoconfigure;

import dev.toolcrib.ToolRegistry;
import dev.toolcrib.spring.boot.ToolSessions;
import dev.toolcrib.spring.boot.actuate.ToolcribHealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Health of the registry. */
@AutoConfiguration(after = ToolcribAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnEnabledHealthIndicator("toolcrib")
@ConditionalOnBean({ToolRegistry.class, ToolSessions.class})
public final class ToolcribHealthAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean(name = {"toolcribHealthIndicator", "toolcribHealthContributor"})
  ToolcribHealthIndicator toolcribHealthContributor(ToolRegistry registry, ToolSessions sessions) {
    return new ToolcribHealthIndicator(registry, sessions);
  }
}
