package dev.toolcrib.spring.boot.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.toolcrib.CallResult;
import dev.toolcrib.RenderedTools;
import dev.toolcrib.ScriptResult;
import dev.toolcrib.SearchHit;
import dev.toolcrib.SearchOutcome;
import dev.toolcrib.ToolAnnotations;
import dev.toolcrib.ToolInfo;
import dev.toolcrib.ToolPage;
import dev.toolcrib.ToolResult;
import dev.toolcrib.spring.boot.Outcomes;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The bodies of responses; what is null is left out. */
final class ToolResponses {

  private ToolResponses() {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Page(
      List<ListedTool> tools, int total, @Nullable String nextCursor, @Nullable Declared declared) {

    static Page of(ToolPage page, @Nullable RenderedTools rendered) {
      return new Page(
          page.tools().stream().map(ListedTool::of).toList(),
          page.total(),
          page.nextCursor(),
          rendered == null ? null : Declared.of(rendered));
    }
  }

  /** A tool in its MCP form, with what Toolcrib knows besides. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ListedTool(
      String name,
      @Nullable String title,
      String description,
      @JsonRawValue String inputSchema,
      @JsonRawValue @Nullable String outputSchema,
      @Nullable Annotations annotations,
      @JsonProperty("_meta") @JsonRawValue @Nullable String meta,
      String source,
      @Nullable String domain,
      List<String> tags,
      String exposure) {

    static ListedTool of(ToolPage.Entry entry) {
      ToolInfo tool = entry.tool();
      return new ListedTool(
          tool.name(),
          tool.title(),
          tool.description(),
          entry.inputSchema(),
          entry.outputSchema(),
          Annotations.of(tool.annotations()),
          entry.meta(),
          tool.source(),
          tool.domain(),
          tool.tags(),
          word(tool.exposure()));
    }
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Annotations(
      @Nullable String title,
      @Nullable Boolean readOnlyHint,
      @Nullable Boolean destructiveHint,
      @Nullable Boolean idempotentHint,
      @Nullable Boolean openWorldHint) {

    static @Nullable Annotations of(ToolAnnotations said) {
      return said.equals(ToolAnnotations.NONE)
          ? null
          : new Annotations(
              said.title(),
              said.readOnly(),
              said.destructive(),
              said.idempotent(),
              said.openWorld());
    }
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Search(
      String outcome,
      String text,
      List<Hit> hits,
      List<String> addedToolNames,
      @Nullable List<String> nearNames,
      @Nullable List<String> sources,
      @Nullable List<String> notReady,
      @Nullable Declared declared) {

    static Search of(SearchOutcome outcome, @Nullable RenderedTools rendered) {
      SearchOutcome.NothingFound nothing =
          outcome instanceof SearchOutcome.NothingFound found ? found : null;
      return new Search(
          Outcomes.of(outcome),
          outcome.text(),
          outcome.hits().stream().map(Hit::of).toList(),
          outcome.addedToolNames(),
          nothing == null ? null : nothing.nearNames(),
          nothing == null ? null : nothing.sources(),
          outcome.notReady().isEmpty() ? null : outcome.notReady(),
          rendered == null ? null : Declared.of(rendered));
    }
  }

  record Hit(String name, String description, double score, String state) {

    static Hit of(SearchHit hit) {
      return new Hit(hit.tool().name(), hit.tool().description(), hit.score(), word(hit.state()));
    }
  }

  /** What the next request to the model declares. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Declared(
      String target,
      List<String> toolNames,
      @JsonRawValue String tools,
      int estimatedTokens,
      List<Note> notes,
      List<Quarantined> quarantined,
      List<String> withdrawn,
      List<String> leftOut,
      @Nullable List<String> notReady) {

    static Declared of(RenderedTools rendered) {
      return new Declared(
          word(rendered.target()),
          rendered.toolNames(),
          rendered.json(),
          rendered.estimatedTokens(),
          rendered.notes().stream().map(Note::of).toList(),
          rendered.quarantined().stream().map(Quarantined::of).toList(),
          rendered.withdrawn(),
          rendered.leftOut(),
          rendered.notReady().isEmpty() ? null : rendered.notReady());
    }
  }

  record Note(String tool, String text, String pointer, String effect, String what, String why) {

    static Note of(RenderedTools.Note note) {
      return new Note(
          note.tool(), note.text(), note.pointer(), word(note.effect()), note.what(), note.why());
    }
  }

  record Quarantined(String tool, String text, String code) {

    static Quarantined of(RenderedTools.Quarantined tool) {
      return new Quarantined(tool.tool(), tool.reason(), tool.code());
    }
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Call(
      String outcome,
      boolean isError,
      String text,
      @Nullable String callId,
      @Nullable Boolean truncated,
      @Nullable Payload payload,
      @Nullable List<CallResult.Problem> problems,
      @Nullable Search search,
      @Nullable Script script) {}

  /** The whole result, where the text of the call is a preview. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Payload(String text, @Nullable JsonNode structuredContent) {

    static @Nullable Payload of(@Nullable ToolResult result, JsonBodies json) {
      return result == null
          ? null
          : new Payload(result.text(), json.treeOrNull(result.structuredContent()));
    }
  }

  static Call call(CallResult result, @Nullable String callId, JsonBodies json) {
    Boolean truncated = null;
    Payload payload = null;
    List<CallResult.Problem> problems = null;
    Search search = null;
    Script script = null;
    if (result instanceof CallResult.Completed completed) {
      truncated = completed.truncated();
      payload = Payload.of(completed.payload(), json);
    } else if (result instanceof CallResult.Failed failed) {
      payload = Payload.of(failed.payload(), json);
    } else if (result instanceof CallResult.InvalidArguments invalid) {
      problems = invalid.problems();
    } else if (result instanceof CallResult.Searched searched) {
      search = Search.of(searched.outcome(), null);
    } else if (result instanceof CallResult.Scripted scripted) {
      script = script(scripted.result(), null, json);
    }
    return new Call(
        Outcomes.of(result),
        result.isError(),
        result.text(),
        callId,
        truncated,
        payload,
        problems,
        search,
        script);
  }

  /** What came of a script; {@code value} is what it returned. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Script(
      String outcome,
      boolean isError,
      String text,
      @Nullable String callId,
      String output,
      @Nullable JsonNode value,
      @Nullable String failure,
      List<ScriptCall> calls,
      long ranMillis,
      long waitedMillis) {}

  record ScriptCall(int number, String tool, String state) {}

  static Script script(ScriptResult result, @Nullable String callId, JsonBodies json) {
    return new Script(
        Outcomes.of(result),
        !result.completed(),
        result.text(),
        callId,
        result.output(),
        json.treeOrNull(result.value()),
        result.failure() == null ? null : result.failure().message(),
        result.calls().stream()
            .map(call -> new ScriptCall(call.number(), call.tool(), word(call.state())))
            .toList(),
        result.ran().toMillis(),
        result.waited().toMillis());
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
