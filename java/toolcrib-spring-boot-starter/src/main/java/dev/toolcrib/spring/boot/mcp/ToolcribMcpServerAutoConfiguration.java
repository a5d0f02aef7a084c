package dev.toolcrib.spring.boot.mcp;

import dev.toolcrib.Caller;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.mcp.McpHttpServlet;
import dev.toolcrib.mcp.McpServerOptions;
import dev.toolcrib.mcp.McpSources;
import dev.toolcrib.mcp.McpToolServer;
import dev.toolcrib.spring.boot.autoconfigure.ToolcribProperties;
import dev.toolcrib.spring.boot.autoconfigure.ToolcribWebMvcAutoConfiguration;
import dev.toolcrib.spring.boot.web.CallerResolver;
import io.modelcontextprotocol.common.McpTransportContext;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * The tools served to MCP clients, if {@code toolcrib.mcp.server.enabled} is set. The caller of
 * each request comes from the {@link CallerResolver}, as for the other endpoints.
 */
@AutoConfiguration(
    after = {ToolcribMcpAutoConfiguration.class, ToolcribWebMvcAutoConfiguration.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({McpToolServer.class, DispatcherServlet.class})
@ConditionalOnBooleanProperty("toolcrib.mcp.server.enabled")
@ConditionalOnBean({ToolRegistry.class, McpSources.class, CallerResolver.class})
public final class ToolcribMcpServerAutoConfiguration {

  private static final String CALLER = "dev.toolcrib.caller";

  @Bean
  @ConditionalOnMissingBean
  McpToolServer mcpToolServer(
      ToolRegistry registry, McpSources sources, ToolcribMcpProperties properties) {
    ToolcribMcpProperties.Server server = properties.server();
    McpServerOptions options =
        new McpServerOptions(
            server.name(),
            server.title(),
            server.instructions(),
            server.sessionMode(),
            server.withheld(),
            server.codemode(),
            server.pageSize(),
            server.wholeResults());
    return McpToolServer.of(registry, context -> (Caller) context.get(CALLER), options, sources);
  }

  @Bean
  ServletRegistrationBean<McpHttpServlet> mcpHttpServlet(
      McpToolServer tools,
      CallerResolver callers,
      ToolcribMcpProperties properties,
      ToolcribProperties toolcrib) {
    ToolcribMcpProperties.Server server = properties.server();
    McpHttpServlet servlet =
        McpHttpServlet.builder(tools)
            .context(request -> context(callers, request))
            .stateless(server.stateless())
            .allowedOrigins(server.allowedOrigins())
            .challenge(toolcrib.endpoints().challenge())
            .resourceMetadata(!server.authorizationServers().isEmpty())
            .maxBodyBytes(Math.toIntExact(server.maxBodySize().toBytes()))
            .sessions(server.maxSessions(), server.maxSessionsOfCaller(), server.idleExpiry())
            .build();
    ServletRegistrationBean<McpHttpServlet> registration =
        new ServletRegistrationBean<>(servlet, server.path());
    registration.setName("toolcribMcp");
    registration.setAsyncSupported(true);
    return registration;
  }

  @Bean
  FilterRegistrationBean<ProtectedResourceFilter> mcpProtectedResourceMetadata(
      ToolcribMcpProperties properties) {
    ToolcribMcpProperties.Server server = properties.server();
    FilterRegistrationBean<ProtectedResourceFilter> registration =
        new FilterRegistrationBean<>(new ProtectedResourceFilter(server.authorizationServers()));
    registration.setName("toolcribMcpProtectedResource");
    registration.addUrlPatterns(
        ProtectedResourceFilter.WELL_KNOWN, ProtectedResourceFilter.WELL_KNOWN + server.path());
    registration.setOrder(ProtectedResourceFilter.ORDER);
    registration.setEnabled(!server.authorizationServers().isEmpty());
    return registration;
  }

  private static McpTransportContext context(CallerResolver callers, HttpServletRequest request) {
    Caller caller = callers.resolve(request);
    return caller == null
        ? McpTransportContext.EMPTY
        : McpTransportContext.create(Map.of(CALLER, caller));
  }
}
