package dev.toolcrib.mcp;

import org.jspecify.annotations.Nullable;

/**
 * How far a call has come, as its server tells.
 *
 * @param progress what is done, growing from one to the next
 * @param total what there is to do in all; null if not known
 * @param message what is being done; null if not told
 */
public record McpProgress(double progress, @Nullable Double total, @Nullable String message) {}
