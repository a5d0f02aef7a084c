package dev.toolcrib;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

/** The program that {@link NativeLibraryTest} runs in JVMs of their own. */
final class LoadProbe {

  private LoadProbe() {}

  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "load" ->
          System.out.println(
              Toolcrib.unavailability()
                  .map(Throwable::getMessage)
                  .orElseGet(() -> "loaded " + Toolcrib.version()));
      case "twice" -> {
        Toolcrib.unavailability();
        try {
          ToolRegistry.builder().build();
        } catch (ToolcribLoadException e) {
          System.out.println("again: " + e.getMessage());
        }
      }
      case "two-loaders" -> {
        for (int i = 0; i < 2; i++) {
          System.out.println(versionIn(new URLClassLoader(classPath(), null)));
        }
      }
      case "leave-open" -> {
        ToolRegistry registry =
            ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build();
        registry.put(Tools.orders(ToolExecutor.blocking(call -> ToolResult.text("done"))));
        ToolSession session = registry.session(Tools.ANN).open();
        System.out.println(session.call(Tools.getOrder()).join().text());
      }
      case "leave-script" -> {
        ToolRegistry registry =
            ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build();
        java.util.concurrent.CountDownLatch called = new java.util.concurrent.CountDownLatch(1);
        registry.put(
            Tools.orders(
                call -> {
                  called.countDown();
                  return new java.util.concurrent.CompletableFuture<>();
                }));
        ToolSession session = registry.session(Tools.ANN).open();
        var waits =
            session.runScript("await tools.get_order({order: 'SO-1'})", ScriptOptions.defaults());
        var runs = session.runScript("for (;;);", ScriptOptions.defaults());
        called.await();
        System.out.println(waits.toCompletableFuture().isDone() || runs.toCompletableFuture().isDone() ? "over" : "running");
      }
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  private static Object versionIn(ClassLoader loader) throws Exception {
    return loader.loadClass("dev.toolcrib.Toolcrib").getMethod("version").invoke(null);
  }

  private static URL[] classPath() throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String path : System.getProperty("java.class.path").split(java.io.File.pathSeparator)) {
      urls.add(java.nio.file.Path.of(path).toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }
}
