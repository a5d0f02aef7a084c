package dev.toolcrib;

import org.jspecify.annotations.Nullable;

/**
 * One call about to be decided on and executed.
 *
 * @param callId the id the model or the service gave the call
 * @param sessionId the id of the session
 * @param caller who calls
 * @param tool the tool that is called
 * @param arguments a JSON object that satisfies the tool's input schema, as the tool wants it
 * @param parentCallId the call of the script that makes this one; null for a call of the model
 */
public record ToolCall(
    String callId,
    String sessionId,
    Caller caller,
    ToolInfo tool,
    String arguments,
    @Nullable String parentCallId) {}
