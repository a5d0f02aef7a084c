package dev.toolcrib.spring.boot.web;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The bodies of requests; what is null was not given. */
final class ToolRequests {

  private ToolRequests() {}

  record ListTools(
      @Nullable String cursor,
      @Nullable Integer limit,
      @Nullable String conversationId,
      @Nullable String target,
      @Nullable RequestedEndpoint endpoint) {}

  record SearchTools(
      @Nullable String query,
      @Nullable Integer limit,
      @Nullable String conversationId,
      @Nullable String position,
      @Nullable List<String> sources,
      @Nullable List<String> domains,
      @Nullable List<String> tags,
      @Nullable String target,
      @Nullable RequestedEndpoint endpoint) {}

  record CallTool(
      @Nullable String name,
      @Nullable JsonNode arguments,
      @Nullable String callId,
      @Nullable String conversationId,
      @Nullable String position,
      @Nullable String target,
      @Nullable RequestedEndpoint endpoint) {

    /** The arguments as text: an object, or the text of one, as some providers deliver them. */
    String argumentsText() {
      if (arguments == null || arguments.isNull()) {
        return "";
      }
      return arguments.isString() ? arguments.stringValue() : arguments.toString();
    }
  }

  record RunScript(
      @Nullable String code, @Nullable String callId, @Nullable String conversationId) {}
}
