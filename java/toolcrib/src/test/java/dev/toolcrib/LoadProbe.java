package dev.toolcrib;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

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
      case "left-behind" -> {
        String message = Toolcrib.unavailability().map(Throwable::getMessage).orElse("loaded");
        try (Stream<Path> left = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
          System.out.println(message + " left behind: " + left.toList());
        }
      }
      case "twice" -> {
        Toolcrib.unavailability();
        try {
          ToolRegistry.builder().build();
        } catch (ToolcribLoadException e) {
          System.out.println("again: " + e.getMessage());
        }
      }
      case "both" -> {
        for (String shop : List.of("app.Shop", "app.Shup")) {
          System.out.println(served(Class.forName(shop)));
        }
      }
      case "reload" -> reload(10);
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
        System.out.println(
            waits.toCompletableFuture().isDone() || runs.toCompletableFuture().isDone()
                ? "over"
                : "running");
      }
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  private static Object served(Class<?> shop) throws Exception {
    return shop.getMethod("serve").invoke(null);
  }

  /** Deploys and undeploys a web application, so to speak, and counts what stays. */
  private static void reload(int times) throws Exception {
    ReferenceQueue<ClassLoader> collected = new ReferenceQueue<>();
    List<Reference<ClassLoader>> loaders = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      loaders.add(new PhantomReference<>(deployed(), collected));
    }
    int gone = 0;
    for (int patience = 0; patience < 50 && gone < times; patience++) {
      System.gc();
      while (collected.remove(100) != null) {
        gone++;
      }
    }
    Reference.reachabilityFence(loaders);
    for (int patience = 0; patience < 50 && mappedCopies() > 1; patience++) {
      System.gc();
      collected.remove(100);
    }
    System.out.println(gone + "/" + times + " " + mappedCopies());
  }

  private static ClassLoader deployed() throws Exception {
    URLClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader());
    Class<?> shop = loader.loadClass("app.Shop");
    AtomicReference<Object> said = new AtomicReference<>();
    // While a thread that used it lives, the system keeps a library mapped for the sake of the
    // thread's own variables in it.
    Thread request =
        new Thread(
            () -> {
              try {
                said.set(served(shop));
              } catch (Exception e) {
                said.set(e);
              }
            });
    request.start();
    request.join();
    if (!String.valueOf(said.get()).startsWith("served")) {
      throw new IllegalStateException(String.valueOf(said.get()));
    }
    loader.close();
    return loader;
  }

  private static long mappedCopies() throws Exception {
    try (Stream<String> mapped = Files.lines(Path.of("/proc/self/maps"))) {
      return mapped
          .filter(line -> line.contains(NativePlatform.current().fileName()))
          .map(line -> line.substring(line.indexOf('/')))
          .distinct()
          .count();
    }
  }

  private static Object versionIn(ClassLoader loader) throws Exception {
    return loader.loadClass("dev.toolcrib.Toolcrib").getMethod("version").invoke(null);
  }

  private static URL[] classPath() throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String path : System.getProperty("java.class.path").split(java.io.File.pathSeparator)) {
      urls.add(Path.of(path).toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }
}
