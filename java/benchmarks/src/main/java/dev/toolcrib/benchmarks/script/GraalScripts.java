package dev.toolcrib.benchmarks.script;

import java.io.OutputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.SandboxPolicy;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;

/**
 * GraalJS, community edition, as a careful team would use it: a context for every script in an
 * engine that all share, so that it parses a script once; constrained; a deadline. What the edition
 * lacks stays away: a limit of memory and one of processor time. Nobody is authorized and nothing
 * validated.
 */
final class GraalScripts implements ScriptEngines {

  private static final int DEADLINE_SECONDS = 30;

  /** Makes the functions a script sees of the one that it may not. */
  private static final Source PRELUDE =
      Source.create(
          "js",
          """
          (function (begin) {
            "use strict";
            const call = name => (args = {}) => new Promise((ok, no) =>
              begin(name, JSON.stringify(args), text => ok({structuredContent: JSON.parse(text)}), no));
            const tools = Object.freeze({echo: call("echo"), slow: call("slow"), rows: call("rows")});
            Object.defineProperty(globalThis, "tools", {value: tools});
            return (main, done, failed) =>
              main().then(value => done(value === undefined ? "" : JSON.stringify(value)), e => failed(String(e)));
          })
          """);

  private final Engine engine =
      Engine.newBuilder("js")
          .sandbox(SandboxPolicy.CONSTRAINED)
          .out(OutputStream.nullOutputStream())
          .err(OutputStream.nullOutputStream())
          .option("engine.WarnInterpreterOnly", "false")
          .build();
  private final ScheduledExecutorService deadlines =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "deadlines of scripts");
            thread.setDaemon(true);
            return thread;
          });

  @Override
  public String run(String code) throws Exception {
    Context context =
        Context.newBuilder("js")
            .engine(engine)
            .sandbox(SandboxPolicy.CONSTRAINED)
            .allowHostAccess(HostAccess.CONSTRAINED)
            .build();
    Future<?> deadline =
        deadlines.schedule(() -> context.close(true), DEADLINE_SECONDS, TimeUnit.SECONDS);
    try (context) {
      return new Run(context).run(code);
    } finally {
      deadline.cancel(false);
    }
  }

  @Override
  public void close() {
    deadlines.shutdownNow();
    engine.close();
  }

  /** One script. A context belongs to one thread at a time, so answers wait for this one. */
  private static final class Run {
    private final Context context;
    private final BlockingQueue<Runnable> answers = new LinkedBlockingQueue<>();
    private final CompletableFuture<String> end = new CompletableFuture<>();

    Run(Context context) {
      this.context = context;
    }

    String run(String code) throws InterruptedException {
      ProxyExecutable begin =
          arguments -> {
            Value resolve = arguments[2];
            var unused =
                Programs.answer(arguments[0].asString(), arguments[1].asString())
                    .thenAccept(json -> answers.add(() -> resolve.executeVoid(json)));
            return null;
          };
      ProxyExecutable done =
          arguments -> {
            end.complete(arguments[0].asString());
            return null;
          };
      ProxyExecutable failed =
          arguments -> {
            end.completeExceptionally(new IllegalStateException(arguments[0].asString()));
            return null;
          };
      Value start = context.eval(PRELUDE).execute(begin);
      Value main =
          context.eval(Source.create("js", "(async function () {\"use strict\";" + code + "\n})"));
      start.executeVoid(main, done, failed);
      while (!end.isDone()) {
        answers.take().run();
      }
      return end.join();
    }
  }
}
