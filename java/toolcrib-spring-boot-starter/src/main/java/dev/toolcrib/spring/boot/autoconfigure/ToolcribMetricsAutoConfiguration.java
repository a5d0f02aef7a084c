package dev.toolcrib.spring.boot.autoconfigure;

import dev.toolcrib.ToolRegistry;
import dev.toolcrib.spring.boot.ToolSessions;
import dev.toolcrib.spring.boot.actuate.ToolcribGauges;
import dev.toolcrib.spring.boot.actuate.ToolcribMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** Meters of searches, activations, calls and refusals. */
@AutoConfiguration(
    after = {ToolcribAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class})
@ConditionalOnClass({MeterRegistry.class, CompositeMeterRegistryAutoConfiguration.class})
@ConditionalOnBean({MeterRegistry.class, ToolSessions.class})
@EnableConfigurationProperties(ToolcribProperties.class)
public final class ToolcribMetricsAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  ToolcribMetrics toolcribMetrics(MeterRegistry meters, ToolcribProperties properties) {
    return new ToolcribMetrics(meters, properties.metrics().toolNames());
  }

  @Bean
  @ConditionalOnMissingBean
  ToolcribGauges toolcribGauges(ToolRegistry registry, ToolSessions sessions) {
    return new ToolcribGauges(registry, sessions);
  }
}
