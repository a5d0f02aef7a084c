package dev.toolcrib.spring.boot.autoconfigure;

import dev.toolcrib.ToolRegistry;
import dev.toolcrib.spring.boot.ToolSessions;
import dev.toolcrib.spring.boot.web.CallerArgumentResolver;
import dev.toolcrib.spring.boot.web.CallerResolver;
import dev.toolcrib.spring.boot.web.RequiredCaller;
import dev.toolcrib.spring.boot.web.ToolsController;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** The caller of a request, and the endpoints if {@code toolcrib.endpoints.enabled} is set. */
@AutoConfiguration(after = ToolcribSecurityAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(DispatcherServlet.class)
@EnableConfigurationProperties(ToolcribProperties.class)
public final class ToolcribWebMvcAutoConfiguration {

  private static final Logger LOG = LoggerFactory.getLogger(ToolcribWebMvcAutoConfiguration.class);

  @Configuration(proxyBeanMethods = false)
  static class CallerConfiguration {

    @Bean
    @ConditionalOnMissingBean
    CallerResolver callerResolver() {
      LOG.warn(
          "There is neither Spring Security nor a CallerResolver bean, so no request has a caller"
              + " and every one for tools is denied.");
      return request -> null;
    }

    @Bean
    @ConditionalOnMissingBean
    RequiredCaller requiredCaller(CallerResolver resolver, ToolcribProperties properties) {
      return new RequiredCaller(resolver, properties.endpoints().challenge());
    }

    @Bean
    WebMvcConfigurer callerArgumentConfigurer(RequiredCaller callers) {
      return new WebMvcConfigurer() {
        @Override
        public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
          resolvers.add(new CallerArgumentResolver(callers));
        }
      };
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBooleanProperty("toolcrib.endpoints.enabled")
  @ConditionalOnBean({ToolRegistry.class, ToolSessions.class})
  static class EndpointsConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ToolsController toolsController(
        ToolRegistry registry,
        ToolSessions sessions,
        RequiredCaller callers,
        ToolcribProperties properties) {
      ToolcribProperties.Endpoints endpoints = properties.endpoints();
      return new ToolsController(
          registry,
          sessions,
          callers,
          endpoints.pageSize(),
          endpoints.maxPageSize(),
          endpoints.maxBodySize(),
          endpoints.script());
    }
  }
}
