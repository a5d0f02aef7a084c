package dev.toolcrib.benchmarks.script;

import dev.toolcrib.Exposure;
import dev.toolcrib.Limit;
import dev.toolcrib.Naming;
import dev.toolcrib.ScriptOptions;
import dev.toolcrib.ScriptResult;
import dev.toolcrib.ToolDefinition;
import dev.toolcrib.ToolExecutor;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolResult;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSession;
import dev.toolcrib.ToolSource;
import dev.toolcrib.benchmarks.data.Crib;
import java.util.List;

/** Toolcrib as an application uses it: every call is validated, authorized and executed. */
final class ToolcribScripts implements ScriptEngines {

  private final ToolRegistry registry;
  private final ToolSession session;

  ToolcribScripts() {
    registry =
        ToolRegistry.builder()
            .authorizer(caller -> ToolSelection.all())
            .executor(Runnable::run)
            .limit(Limit.SCRIPT_PARALLEL_CALLS, 20)
            .build();
    ToolSource.Builder source =
        ToolSource.named("shop").naming(Naming.PLAIN).exposure(Exposure.CODEMODE);
    for (String tool : List.of("echo", "slow", "rows")) {
      ToolExecutor executor =
          call -> Programs.answer(tool, call.arguments()).thenApply(ToolResult::json);
      source.tool(ToolDefinition.named(tool).description("A tool").build(), executor);
    }
    registry.put(source.build());
    session = registry.session(Crib.CALLER).open();
  }

  @Override
  public String run(String code) throws Exception {
    ScriptResult result =
        session.runScript(code, ScriptOptions.defaults()).toCompletableFuture().get();
    if (!result.completed()) {
      throw new IllegalStateException(result.text());
    }
    return result.value() == null ? "" : result.value();
  }

  @Override
  public void close() {
    session.close();
    registry.close();
  }
}
