package dev.toolcrib.spring.boot.autoconfigure;

import dev.toolcrib.ToolAuthorizer;
import dev.toolcrib.ToolCallInterceptor;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSource;
import dev.toolcrib.spring.boot.ToolRegistryCustomizer;
import dev.toolcrib.spring.boot.ToolSessionListener;
import dev.toolcrib.spring.boot.ToolSessions;
import dev.toolcrib.spring.boot.tool.ObjectTools;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.ResourceLoader;
import tools.jackson.databind.json.JsonMapper;

/**
 * A {@link ToolRegistry} of all {@link ToolSource} beans, decided on by all {@link ToolAuthorizer}
 * beans, and the {@link ToolSessions} on it.
 *
 * <p>Only {@code ToolSource} beans count; no other bean is listed or executable. Sources are
 * published in the order of their names. A source that cannot be published stops the start, since
 * it is the service's own; a single tool of it that cannot is logged and left out.
 *
 * <p>Several authorizers are a chain in their {@code @Order}: a tool needs every link's permission.
 * Without any, nothing is listed, found or callable. {@link ToolCallInterceptor} beans stand around
 * every execution in their order.
 */
@AutoConfiguration(after = JacksonAutoConfiguration.class)
@EnableConfigurationProperties(ToolcribProperties.class)
public final class ToolcribAutoConfiguration {

  private static final Logger LOG = LoggerFactory.getLogger(ToolcribAutoConfiguration.class);

  @Bean
  @ConditionalOnMissingBean
  ToolRegistry toolRegistry(
      ToolcribProperties properties,
      ObjectProvider<ToolAuthorizer> authorizers,
      ObjectProvider<ToolCallInterceptor> interceptors,
      ObjectProvider<ToolSource> sources,
      ObjectProvider<ToolRegistryCustomizer> customizers) {
    ToolRegistry.Builder builder =
        ToolRegistry.builder()
            .callTimeout(properties.callTimeout())
            .sourceWait(properties.sourceWait());
    properties.limits().forEach(builder::limit);
    builder.authorizer(chain(authorizers.orderedStream().toList()));
    interceptors.orderedStream().forEach(builder::interceptor);
    builder.codemode(properties.codemode().enabled());
    customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
    return new SourcePublisher(builder.build()).publish(sources.stream().toList());
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnSingleCandidate(ToolRegistry.class)
  ToolSessions toolSessions(
      ToolRegistry registry,
      ToolcribProperties properties,
      ObjectProvider<ToolSessionListener> listeners) {
    ToolcribProperties.Sessions sessions = properties.sessions();
    return new ToolSessions(
        registry,
        sessions.max(),
        sessions.maxPerUser(),
        sessions.idleExpiry(),
        listeners.orderedStream().toList());
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnSingleCandidate(JsonMapper.class)
  ObjectTools objectTools(JsonMapper mapper, ResourceLoader resources) {
    return new ObjectTools(mapper, resources);
  }

  private static ToolAuthorizer chain(List<ToolAuthorizer> authorizers) {
    if (authorizers.isEmpty()) {
      LOG.warn(
          "There is no ToolAuthorizer bean, so no caller may list, find or call any tool. Define"
              + " one that says what each caller may use.");
    }
    return authorizers.size() == 1
        ? authorizers.get(0)
        : ToolAuthorizer.allOf(authorizers.toArray(ToolAuthorizer[]::new));
  }
}
