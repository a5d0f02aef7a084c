package dev.toolcrib.spring.boot.web;

import dev.toolcrib.CallRequest;
import dev.toolcrib.Caller;
import dev.toolcrib.Endpoint;
import dev.toolcrib.RenderedTools;
import dev.toolcrib.ScriptOptions;
import dev.toolcrib.ScriptResult;
import dev.toolcrib.SearchOutcome;
import dev.toolcrib.SearchRequest;
import dev.toolcrib.ToolPage;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolcribException;
import dev.toolcrib.ToolcribInternalException;
import dev.toolcrib.spring.boot.ToolConversation;
import dev.toolcrib.spring.boot.ToolSessions;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.util.unit.DataSize;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

/**
 * The endpoints list, search, call and, if wanted, script. The caller comes from the request's
 * {@link CallerResolver}; nothing in a body says who asks.
 *
 * <p>Whatever a model should read, be it that a tool is unknown or that its arguments are wrong, is
 * a result with status 200. Problems with the request itself are problem details.
 */
@RestController
@RequestMapping(
    path = "${toolcrib.endpoints.base-path:/tools}",
    consumes = MediaType.APPLICATION_JSON_VALUE,
    produces = MediaType.APPLICATION_JSON_VALUE)
public final class ToolsController {

  private static final Logger LOG = LoggerFactory.getLogger(ToolsController.class);

  private final ToolRegistry registry;
  private final ToolSessions sessions;
  private final RequiredCaller callers;
  private final JsonBodies json;
  private final int pageSize;
  private final int maxPageSize;
  private final boolean scripts;

  /**
   * Serves a registry.
   *
   * @param registry whose tools are listed
   * @param sessions where tools are searched and called
   * @param callers tells the caller
   * @param pageSize tools on a page when the request names no limit
   * @param maxPageSize most tools on a page
   * @param maxBodySize largest request body, less than 1 GB
   * @param scripts whether scripts are run
   * @throws IllegalArgumentException if a size is not positive or too large
   */
  public ToolsController(
      ToolRegistry registry,
      ToolSessions sessions,
      RequiredCaller callers,
      int pageSize,
      int maxPageSize,
      DataSize maxBodySize,
      boolean scripts) {
    if (pageSize < 1 || maxPageSize < pageSize) {
      throw new IllegalArgumentException(
          "a page of %s tools, at most %s".formatted(pageSize, maxPageSize));
    }
    if (maxBodySize.toBytes() < 1 || maxBodySize.toGigabytes() >= 1) {
      throw new IllegalArgumentException("a body of at most " + maxBodySize);
    }
    this.registry = registry;
    this.sessions = sessions;
    this.callers = callers;
    this.json = new JsonBodies((int) maxBodySize.toBytes());
    this.pageSize = pageSize;
    this.maxPageSize = maxPageSize;
    this.scripts = scripts;
  }

  @PostMapping("/list")
  ResponseEntity<byte[]> list(HttpServletRequest request) throws IOException {
    Caller caller = callers.of(request);
    ToolRequests.ListTools body = json.read(request, ToolRequests.ListTools.class);
    int limit = body.limit() == null ? pageSize : Math.min(body.limit(), maxPageSize);
    Endpoint endpoint = RequestedEndpoint.of(body.target(), body.endpoint());
    ToolPage page = registry.list(caller, body.cursor(), limit);
    if (endpoint == null) {
      return json.ok(ToolResponses.Page.of(page, null));
    }
    try (ToolConversation conversation = open(caller, body.conversationId())) {
      return json.ok(ToolResponses.Page.of(page, conversation.render(endpoint)));
    }
  }

  @PostMapping("/search")
  ResponseEntity<byte[]> search(HttpServletRequest request) throws IOException {
    Caller caller = callers.of(request);
    ToolRequests.SearchTools body = json.read(request, ToolRequests.SearchTools.class);
    SearchRequest search =
        new SearchRequest(
            required("query", body.query()), body.limit(), body.position(), within(body));
    Endpoint endpoint = RequestedEndpoint.of(body.target(), body.endpoint());
    try (ToolConversation conversation = open(caller, body.conversationId())) {
      SearchOutcome outcome = conversation.search(search);
      RenderedTools rendered = endpoint == null ? null : conversation.render(endpoint);
      return json.ok(ToolResponses.Search.of(outcome, rendered));
    }
  }

  @PostMapping("/call")
  DeferredResult<ResponseEntity<byte[]>> call(HttpServletRequest request) throws IOException {
    Caller caller = callers.of(request);
    ToolRequests.CallTool body = json.read(request, ToolRequests.CallTool.class);
    CallRequest call =
        new CallRequest(
            required("name", body.name()),
            body.argumentsText(),
            body.callId(),
            body.position(),
            RequestedEndpoint.of(body.target(), body.endpoint()),
            // Without a conversation there is nothing in which the tool could be active.
            body.conversationId() == null);
    // The registry gives a call up after its own timeout.
    DeferredResult<ResponseEntity<byte[]>> response = new DeferredResult<>(-1L);
    try (ToolConversation conversation = open(caller, body.conversationId())) {
      var unused =
          conversation
              .call(call)
              .thenApply(result -> json.ok(ToolResponses.call(result, body.callId(), json)))
              .whenComplete(
                  (answer, failure) -> {
                    if (answer != null) {
                      response.setResult(answer);
                    } else {
                      response.setErrorResult(failure);
                    }
                  });
    }
    return response;
  }

  @PostMapping("/script")
  DeferredResult<ResponseEntity<byte[]>> script(HttpServletRequest request) throws IOException {
    if (!scripts) {
      throw new ToolProblemException(
          HttpStatus.NOT_FOUND, "scripts_off", "Scripts are not run here.", null);
    }
    Caller caller = callers.of(request);
    ToolRequests.RunScript body = json.read(request, ToolRequests.RunScript.class);
    String code = required("code", body.code());
    DeferredResult<ResponseEntity<byte[]>> response = new DeferredResult<>(-1L);
    try (ToolConversation conversation = open(caller, body.conversationId())) {
      CompletableFuture<ScriptResult> result =
          conversation.runScript(code, new ScriptOptions(body.callId())).toCompletableFuture();
      // Nobody reads the answer of a request that is gone.
      response.onError(failure -> result.cancel(false));
      var unused =
          result.whenComplete(
              (done, failure) -> {
                if (done != null) {
                  response.setResult(json.ok(ToolResponses.script(done, body.callId(), json)));
                } else {
                  response.setErrorResult(failure);
                }
              });
    }
    return response;
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> problem(ErrorResponseException e) {
    return answer(e);
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> problem(IOException e) {
    LOG.debug("a request body ended too early", e);
    return answer(badRequest("unreadable_body", "The request body could not be read."));
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> problem(IllegalArgumentException e) {
    return answer(badRequest("invalid_request", String.valueOf(e.getMessage())));
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> problem(ToolcribException e) {
    if (e instanceof ToolcribInternalException) {
      return problem((Exception) e);
    }
    if (e.code().equals("scripts_busy")) {
      return answer(
          new ToolProblemException(
              HttpStatus.SERVICE_UNAVAILABLE, e.code(), String.valueOf(e.getMessage()), e));
    }
    return answer(badRequest(e.code(), String.valueOf(e.getMessage())));
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> problem(IllegalStateException e) {
    LOG.warn("tools are not available", e);
    return answer(
        new ToolProblemException(
            HttpStatus.SERVICE_UNAVAILABLE, "unavailable", "Tools are not available now.", e));
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> problem(Exception e) {
    LOG.error("a request for tools failed", e);
    return answer(
        new ToolProblemException(
            HttpStatus.INTERNAL_SERVER_ERROR, "internal_error", "The request failed.", e));
  }

  private static ResponseEntity<ProblemDetail> answer(ErrorResponseException e) {
    return ResponseEntity.status(e.getStatusCode())
        .headers(e.getHeaders())
        .contentType(MediaType.APPLICATION_PROBLEM_JSON)
        .body(e.getBody());
  }

  private ToolConversation open(Caller caller, @Nullable String conversationId) {
    return conversationId == null
        ? sessions.openEphemeral(caller)
        : sessions.open(caller, conversationId);
  }

  private static @Nullable ToolSelection within(ToolRequests.SearchTools body) {
    ToolSelection within = ToolSelection.all();
    within = narrow(within, body.sources(), ToolSelection::sources);
    within = narrow(within, body.domains(), ToolSelection::domains);
    within = narrow(within, body.tags(), ToolSelection::tags);
    return within.equals(ToolSelection.all()) ? null : within;
  }

  private static ToolSelection narrow(
      ToolSelection within,
      @Nullable List<String> names,
      Function<String[], ToolSelection> selection) {
    return names == null || names.isEmpty()
        ? within
        : within.and(selection.apply(names.toArray(String[]::new)));
  }

  private static String required(String property, @Nullable String value) {
    if (value == null || value.isBlank()) {
      throw badRequest("invalid_request", property + " is missing or blank.");
    }
    return value;
  }

  private static ToolProblemException badRequest(String code, String detail) {
    return new ToolProblemException(HttpStatus.BAD_REQUEST, code, detail, null);
  }
}
