package dev.toolcrib.spring.boot.autoconfigure;

import dev.toolcrib.ToolRegistry;
import dev.toolcrib.spring.boot.actuate.ToolcribInfoContributor;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Figures of the registry for the info endpoint. */
@AutoConfiguration(after = ToolcribAutoConfiguration.class)
@ConditionalOnClass({InfoContributor.class, ConditionalOnEnabledInfoContributor.class})
@ConditionalOnEnabledInfoContributor("toolcrib")
@ConditionalOnBean(ToolRegistry.class)
public final class ToolcribInfoAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  ToolcribInfoContributor toolcribInfoContributor(ToolRegistry registry) {
    return new ToolcribInfoContributor(registry);
  }
}
