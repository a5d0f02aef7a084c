package dev.toolcrib;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A call that a session handled, whatever came of it: one of the model, or one that a script made.
 *
 * @param session whose
 * @param callId the id of the call; of a script's call {@code <id of the script's call>/<number>}
 * @param parentCallId the call of the script that made this one; null for a call of the model
 * @param request what was asked for; the name may be anything
 * @param result what came of it
 * @param took how long it took, the tool's own time included
 */
public record HandledCall(
    ToolSession session,
    String callId,
    @Nullable String parentCallId,
    CallRequest request,
    CallResult result,
    Duration took) {}
