package dev.toolcrib.spring.boot.mcp;

import dev.toolcrib.ToolRegistry;
import dev.toolcrib.mcp.McpConfig;
import dev.toolcrib.mcp.McpServerConfig;
import dev.toolcrib.mcp.McpSources;
import dev.toolcrib.mcp.oauth.AuthorizationPrompt;
import dev.toolcrib.mcp.oauth.TokenStore;
import dev.toolcrib.spring.boot.autoconfigure.ToolcribAutoConfiguration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * {@link McpSources} of the servers in {@code toolcrib.mcp.files}, of {@link McpServerConfig} beans
 * and of {@code toolcrib.mcp.servers}; of two with one name the later in this order counts. What is
 * wrong with one server is logged and disables it alone. A {@link TokenStore} and an {@link
 * AuthorizationPrompt} that are beans are used for servers that ask for OAuth.
 */
@AutoConfiguration(after = ToolcribAutoConfiguration.class)
@ConditionalOnClass(McpSources.class)
@ConditionalOnSingleCandidate(ToolRegistry.class)
@EnableConfigurationProperties(ToolcribMcpProperties.class)
public final class ToolcribMcpAutoConfiguration {

  private static final Logger LOG = LoggerFactory.getLogger(ToolcribMcpAutoConfiguration.class);

  @Bean
  @ConditionalOnMissingBean
  McpSources mcpSources(
      ToolRegistry registry,
      ToolcribMcpProperties properties,
      ObjectProvider<McpServerConfig> beans,
      ObjectProvider<TokenStore> tokenStore,
      ObjectProvider<AuthorizationPrompt> authorizationPrompt,
      ObjectProvider<McpSourcesCustomizer> customizers) {
    List<McpServerConfig> servers =
        new ArrayList<>(McpConfig.read(properties.files()).logProblems().servers());
    beans.orderedStream().forEach(servers::add);
    properties.servers().forEach((name, source) -> servers.add(source.toConfig(name)));
    McpSources.Builder builder =
        McpSources.builder(registry)
            .servers(servers)
            .commandSubstitution(properties.commandSubstitution())
            .connectTimeout(properties.connectTimeout())
            .callWait(properties.callWait())
            .maxCallTime(properties.maxCallTime())
            .callerConnections(properties.maxCallerConnections(), properties.callerConnectionIdle())
            .maxMessageBytes(Math.toIntExact(properties.maxMessageSize().toBytes()))
            .retry(properties.firstRetry(), properties.longestRetry());
    tokenStore.ifUnique(builder::tokenStore);
    authorizationPrompt.ifUnique(builder::authorizationPrompt);
    customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
    return builder.start();
  }

  /** Runs before the service says that it is ready. */
  @Bean
  ApplicationRunner mcpDirectToolsWait(McpSources sources, ToolcribMcpProperties properties) {
    return arguments -> {
      List<String> late = sources.awaitDirect(properties.directWait());
      if (!late.isEmpty()) {
        LOG.warn(
            "MCP servers with direct tools are not connected yet, their tools come later: {}",
            String.join(", ", late));
      }
    };
  }
}
