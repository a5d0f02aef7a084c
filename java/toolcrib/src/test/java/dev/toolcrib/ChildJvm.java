package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A second JVM of the kind that runs the tests, which ends in bounded time. */
final class ChildJvm {

  private final List<String> before = new ArrayList<>();
  private final List<String> options = new ArrayList<>();
  private int seconds = 120;

  private ChildJvm() {}

  /** A JVM that may load native code. */
  static ChildJvm withNativeAccess() {
    return new ChildJvm().with("--enable-native-access=ALL-UNNAMED");
  }

  /** A JVM that is granted nothing. */
  static ChildJvm plain() {
    return new ChildJvm();
  }

  ChildJvm with(String... more) {
    options.addAll(List.of(more));
    return this;
  }

  ChildJvm within(int seconds) {
    this.seconds = seconds;
    return this;
  }

  ChildJvm classPath(Path... paths) {
    return classPath(Arrays.stream(paths).map(Path::toString).toArray(String[]::new));
  }

  ChildJvm classPath(String... paths) {
    return with("-cp", String.join(File.pathSeparator, paths));
  }

  /**
   * Runs the JVM in a mount namespace of its own, after {@code mounts}, which is shell. Needs
   * {@link #canMount}.
   */
  ChildJvm afterMounting(String mounts) {
    before.addAll(List.of("unshare", "-m", "sh", "-c", mounts + " && exec \"$@\"", "sh"));
    return this;
  }

  /** Whether this system lets us mount, which takes root. */
  static boolean canMount() {
    try {
      return new ProcessBuilder("unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Runs to the end, which must be a good one, and gives what was printed, SLF4J's words apart. */
  String run(String... mainClassAndArguments) throws Exception {
    List<String> command = new ArrayList<>(before);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of(mainClassAndArguments));
    Path printed = Files.createTempFile("child-jvm", ".txt");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(printed.toFile())
              .start();
      boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
      process.destroyForcibly();
      List<String> lines = Files.readAllLines(printed);
      assertThat(ended).as("ends in time; printed %s", lines).isTrue();
      assertThat(process.exitValue()).as("printed %s", lines).isZero();
      lines.removeIf(line -> line.contains("SLF4J"));
      return String.join("\n", lines);
    } finally {
      Files.delete(printed);
    }
  }
}
