package dev.toolcrib;

/**
 * One call about to be decided on and executed.
 *
 * @param callId the id the model or the service gave the call
 * @param sessionId the id of the session
 * @param caller who calls
 * @param tool the tool that is called
 * @param arguments a JSON object that satisfies the tool's input schema, as the tool wants it
 */
public record ToolCall(
    String callId, String sessionId, Caller caller, ToolInfo tool, String arguments) {}
