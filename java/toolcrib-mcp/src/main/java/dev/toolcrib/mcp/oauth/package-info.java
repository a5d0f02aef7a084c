/**
 * Access tokens for MCP servers that ask for OAuth 2: found through the metadata of RFC 9728 and
 * RFC 8414, obtained by client credentials or by an authorization code with PKCE, bound to the
 * server by RFC 8707, and refreshed before they expire.
 */
@NullMarked
package dev.toolcrib.mcp.oauth;

import org.jspecify.annotations.NullMarked;
