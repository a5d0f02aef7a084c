package dev.toolcrib.benchmarks;

import dev.toolcrib.benchmarks.boundary.BoundaryWorkload;
import dev.toolcrib.benchmarks.boundary.SameSearch;
import dev.toolcrib.benchmarks.change.ChangeWorkload;
import dev.toolcrib.benchmarks.harness.Machine;
import dev.toolcrib.benchmarks.harness.Profile;
import dev.toolcrib.benchmarks.harness.Results;
import dev.toolcrib.benchmarks.harness.Workload;
import dev.toolcrib.benchmarks.render.RenderWorkload;
import dev.toolcrib.benchmarks.script.ScriptWorkload;
import dev.toolcrib.benchmarks.search.SearchWorkload;
import dev.toolcrib.benchmarks.session.SessionWorkload;
import dev.toolcrib.benchmarks.turn.TurnWorkload;
import dev.toolcrib.benchmarks.validation.ValidationWorkload;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Runs workloads, each in a JVM of its own, and writes one JSON file each into a folder, with
 * {@code machine.json} beside them.
 *
 * <p>Arguments: the profile, the folder, then names of workloads; none stands for all.
 */
public final class Benchmarks {

  /** All workloads. */
  public static final List<Workload> WORKLOADS =
      List.of(
          new SearchWorkload(),
          new SessionWorkload(),
          new ChangeWorkload(),
          new RenderWorkload(),
          new ValidationWorkload(),
          new TurnWorkload(),
          new ScriptWorkload(),
          new BoundaryWorkload());

  private static final List<String> JVM =
      List.of(
          "-Xms4g",
          "-Xmx4g",
          "-XX:+AlwaysPreTouch",
          "-XX:+UseParallelGC",
          "--enable-native-access=ALL-UNNAMED",
          "-Djmh.ignoreLock=true");

  private Benchmarks() {}

  public static void main(String[] args) throws Exception {
    Profile profile = Profile.named(args[0]);
    Path folder = Path.of(args[1]);
    List<String> wanted = Stream.of(args).skip(2).filter(Predicate.not(String::isBlank)).toList();
    if (wanted.size() == 2 && wanted.get(0).equals("--here")) {
      try {
        here(profile, folder, wanted.get(1));
      } catch (Exception e) {
        e.printStackTrace();
        System.exit(1);
      }
      // Pools of the peers would keep the JVM.
      System.exit(0);
    }
    Machine.write(folder.resolve("machine.json"), profile, JVM);
    for (Workload workload : WORKLOADS) {
      if (wanted.isEmpty() || wanted.contains(workload.name())) {
        System.out.println(workload.name());
        inJvmOfItsOwn(profile, folder, workload.name());
      }
    }
    SameSearch.write(
        folder.resolve("session_search.jsonl"), profile.catalogues().get(0), profile.middle());
  }

  private static void here(Profile profile, Path folder, String name) throws Exception {
    Results results = new Results(folder.resolve(name + ".json"));
    for (Workload workload : WORKLOADS) {
      if (workload.name().equals(name)) {
        workload.run(profile, results);
      }
    }
  }

  private static void inJvmOfItsOwn(Profile profile, Path folder, String name) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM);
    System.getProperties().stringPropertyNames().stream()
        .filter(property -> property.startsWith("toolcrib."))
        .forEach(property -> command.add("-D" + property + "=" + System.getProperty(property)));
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), Benchmarks.class.getName()));
    command.addAll(List.of(profile.name(), folder.toString(), "--here", name));
    int status = new ProcessBuilder(command).directory(new File(".")).inheritIO().start().waitFor();
    if (status != 0) {
      throw new IllegalStateException(name + " ended with status " + status);
    }
  }
}
