/** MCP servers as sources, and the tools served to MCP clients, in a Spring Boot service. */
@NullMarked
package dev.toolcrib.spring.boot.mcp;

import org.jspecify.annotations.NullMarked;
