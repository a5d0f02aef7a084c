package dev.toolcrib.spring.boot.actuate;

import dev.toolcrib.CallResult;
import dev.toolcrib.HandledCall;
import dev.toolcrib.ScriptResult;
import dev.toolcrib.SearchOutcome;
import dev.toolcrib.ToolInfo;
import dev.toolcrib.ToolSession;
import dev.toolcrib.spring.boot.Outcomes;
import dev.toolcrib.spring.boot.ToolSessionListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Meters of what happens in conversations:
 *
 * <table>
 *   <caption>Meters</caption>
 *   <tr><th>name</th><th>kind</th><th>tags</th></tr>
 *   <tr><td>{@code toolcrib.search}</td><td>timer</td><td>{@code outcome}</td></tr>
 *   <tr><td>{@code toolcrib.activation}</td><td>counter, tools</td><td>none</td></tr>
 *   <tr><td>{@code toolcrib.call}</td><td>timer</td><td>{@code outcome}, {@code source}, {@code origin}</td></tr>
 *   <tr><td>{@code toolcrib.refusal}</td><td>counter</td><td>{@code outcome}, {@code source}, {@code origin}</td></tr>
 *   <tr><td>{@code toolcrib.script}</td><td>timer, all of its time</td><td>{@code outcome}</td></tr>
 *   <tr><td>{@code toolcrib.script.run}</td><td>timer, without waiting for tools</td><td>{@code outcome}</td></tr>
 *   <tr><td>{@code toolcrib.script.calls}</td><td>summary, tools called</td><td>{@code outcome}</td></tr>
 *   <tr><td>{@code toolcrib.session.eviction}</td><td>counter</td><td>{@code reason}</td></tr>
 * </table>
 *
 * <p>A refusal is a call for which the caller has no right: {@code refused} by the authorizer, or
 * {@code not_found} among the caller's tools. The source is {@code none} where a call came to no
 * tool, and the origin {@code model} or {@code script}. What a model makes up, like names of tools
 * that do not exist, is never a tag.
 */
public final class ToolcribMetrics implements ToolSessionListener {

  private static final String NONE = "none";

  private final MeterRegistry meters;
  private final boolean toolNames;

  /**
   * Counts.
   *
   * @param meters where meters are registered
   * @param toolNames whether calls have the tag {@code tool}, the name of a registered tool or
   *     {@code none}
   */
  public ToolcribMetrics(MeterRegistry meters, boolean toolNames) {
    this.meters = meters;
    this.toolNames = toolNames;
  }

  @Override
  public void searched(ToolSession session, SearchOutcome outcome, Duration took) {
    meters.timer("toolcrib.search", "outcome", Outcomes.of(outcome)).record(took);
  }

  @Override
  public void activated(ToolSession session, List<String> toolNames) {
    meters.counter("toolcrib.activation").increment(toolNames.size());
  }

  @Override
  public void called(HandledCall call) {
    CallResult result = call.result();
    ToolInfo tool = result.tool();
    Tags tags =
        Tags.of(
            "outcome",
            Outcomes.of(result),
            "source",
            tool == null ? NONE : tool.source(),
            "origin",
            call.parentCallId() == null ? "model" : "script");
    if (toolNames) {
      tags = tags.and("tool", tool == null ? NONE : tool.name());
    }
    meters.timer("toolcrib.call", tags).record(call.took());
    if (result instanceof CallResult.Refused || result instanceof CallResult.NotFound) {
      meters.counter("toolcrib.refusal", tags).increment();
    }
    if (result instanceof CallResult.Scripted scripted) {
      ScriptResult script = scripted.result();
      Tags outcome = Tags.of("outcome", Outcomes.of(script));
      meters.timer("toolcrib.script", outcome).record(script.ran().plus(script.waited()));
      meters.timer("toolcrib.script.run", outcome).record(script.ran());
      meters.summary("toolcrib.script.calls", outcome).record(script.calls().size());
    }
  }

  @Override
  public void evicted(ToolSession session, Eviction reason) {
    meters
        .counter("toolcrib.session.eviction", "reason", reason.name().toLowerCase(Locale.ROOT))
        .increment();
  }
}
