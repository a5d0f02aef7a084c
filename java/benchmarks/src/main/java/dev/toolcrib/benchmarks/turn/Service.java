package dev.toolcrib.benchmarks.turn;

import dev.toolcrib.ToolAuthorizer;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.benchmarks.data.Crib;
import dev.toolcrib.spring.boot.ToolRegistryCustomizer;
import dev.toolcrib.spring.boot.web.CallerResolver;
import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A service with the starter and its endpoints, without security, so that only the hop counts. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class Service {

  /** Starts it on a free port. */
  static ServletWebServerApplicationContext start() {
    return (ServletWebServerApplicationContext)
        new SpringApplicationBuilder(Service.class)
            .web(WebApplicationType.SERVLET)
            .properties(
                Map.of(
                    "server.port", "0",
                    "server.address", "127.0.0.1",
                    "toolcrib.endpoints.enabled", "true",
                    "logging.level.root", "warn",
                    "spring.main.banner-mode", "off"))
            .run();
  }

  @Bean
  ToolAuthorizer authorizer() {
    return caller -> ToolSelection.all();
  }

  @Bean
  CallerResolver callers() {
    return request -> Crib.CALLER;
  }

  /** Tools run on the thread that calls them, in process and behind HTTP alike. */
  @Bean
  ToolRegistryCustomizer sameThread() {
    return builder -> builder.executor(Runnable::run);
  }
}
