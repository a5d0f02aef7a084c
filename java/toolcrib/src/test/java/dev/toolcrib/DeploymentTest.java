package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that uses Toolcrib, in the odd places that programs are put into. */
class DeploymentTest {

  private static final Path CLASSES = location(Toolcrib.class);
  private static final Path TEST_CLASSES = location(DeploymentTest.class);
  private static final String SERVED = "served SO-1 is shipped; refused invalid_json; ";

  @TempDir Path directory;

  @Test
  void from_a_directory_that_allows_no_execution_it_tells_what_to_do_and_then_works()
      throws Exception {
    assumeTrue(ChildJvm.canMount(), "mounting takes root");
    String mounts = "mount -t tmpfs -o noexec none " + directory;
    assertThat(onClassPath().afterMounting(mounts).with(temporary(directory)).run("app.Shop"))
        .contains("noexec", "-Dtoolcrib.native.directory=DIR", "-Dtoolcrib.native.path=FILE");
    Path elsewhere = Files.createTempDirectory("toolcrib-exec");
    assertThat(
            onClassPath()
                .afterMounting(mounts)
                .with(temporary(directory), "-Dtoolcrib.native.directory=" + elsewhere)
                .run("app.Shop"))
        .startsWith(SERVED);
    Files.delete(elsewhere);
  }

  @Test
  void on_a_file_system_that_is_read_only_throughout_a_library_unpacked_before_is_used()
      throws Exception {
    assumeTrue(ChildJvm.canMount(), "mounting takes root");
    Path library = unpackLibrary();
    String mounts = "mount --make-rprivate / && mount -o bind,ro " + directory + " " + directory;
    assertThat(onClassPath().afterMounting(mounts).with(temporary(directory)).run("app.Shop"))
        .contains(
            "cannot write the native library to " + directory,
            "-Dtoolcrib.native.directory=DIR",
            "-Dtoolcrib.native.path=FILE");
    assertThat(
            onClassPath()
                .afterMounting(mounts)
                .with(temporary(directory), "-Dtoolcrib.native.path=" + library)
                .run("app.Shop"))
        .startsWith(SERVED);
  }

  @Test
  void a_full_disk_was_left_with_a_piece_of_the_library_at_every_start() throws Exception {
    assumeTrue(ChildJvm.canMount(), "mounting takes root");
    String mounts = "mount -t tmpfs -o size=1m none " + directory;
    assertThat(
            onClassPath()
                .afterMounting(mounts)
                .with(temporary(directory))
                .run("dev.toolcrib.LoadProbe", "left-behind"))
        .contains("cannot write the native library to " + directory, "No space left")
        .endsWith("left behind: []");
  }

  @Test
  void moved_into_another_package_by_shading_it_works_from_one_jar() throws Exception {
    Path jar = directory.resolve("shop.jar");
    // Every name in a class file, and every text that looks like one, is a constant that has its
    // length before it; the new name is as long as the old one.
    Relocation relocation = new Relocation("dev/toolcrib", "shd/toolcrib");
    jar(jar, new Manifest(), relocation, CLASSES, TEST_CLASSES.resolve("app"));
    assertThat(ChildJvm.withNativeAccess().classPath(withoutToolcrib(jar)).run("app.Shop"))
        .startsWith(SERVED);
  }

  @Test
  void shaded_and_not_it_works_twice_in_one_jvm() throws Exception {
    Path jar = directory.resolve("shop.jar");
    jar(jar, new Manifest(), new Relocation("dev/toolcrib", "shd/toolcrib"), CLASSES);
    Path app = directory.resolve("app.jar");
    jar(
        app,
        new Manifest(),
        new Relocation("app/Shop", "app/Shup", "dev/toolcrib", "shd/toolcrib"),
        TEST_CLASSES.resolve("app"));
    String[] paths =
        Stream.concat(Stream.of(classPath()), Stream.of(jar, app).map(Path::toString))
            .toArray(String[]::new);
    assertThat(ChildJvm.withNativeAccess().classPath(paths).run("dev.toolcrib.LoadProbe", "both"))
        .containsPattern("(?s)served .*\nserved ");
  }

  @Test
  void on_the_module_path_it_is_a_module_that_native_access_can_be_given_to() throws Exception {
    Path jar = moduleJar();
    String[] modules = withoutToolcrib(jar);
    ChildJvm jvm =
        ChildJvm.plain()
            .with("-p", String.join(File.pathSeparator, modules))
            .with("--add-modules", "dev.toolcrib,org.slf4j")
            .with("--enable-native-access=dev.toolcrib")
            .classPath(TEST_CLASSES);
    assertThat(jvm.run("app.Shop")).startsWith(SERVED);
  }

  @Test
  void a_jvm_that_denies_native_access_names_the_module_that_needs_it() throws Exception {
    assumeTrue(Runtime.version().feature() >= 24, "JVMs before 24 cannot deny it");
    ChildJvm denied = ChildJvm.plain().with("--illegal-native-access=deny");
    assertThat(denied.classPath(classPath()).run("app.Shop"))
        .contains("--enable-native-access=ALL-UNNAMED");
    String modules = String.join(File.pathSeparator, withoutToolcrib(moduleJar()));
    assertThat(
            ChildJvm.plain()
                .with("--illegal-native-access=deny", "-p", modules)
                .with("--add-modules", "dev.toolcrib,org.slf4j")
                .classPath(TEST_CLASSES)
                .run("app.Shop"))
        .contains("--enable-native-access=dev.toolcrib");
  }

  @Test
  void an_executable_jar_grants_native_access_in_its_manifest() throws Exception {
    assumeTrue(Runtime.version().feature() >= 24, "JVMs before 24 cannot deny it");
    Path jar = directory.resolve("shop.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "app.Shop");
    manifest.getMainAttributes().putValue("Enable-Native-Access", "ALL-UNNAMED");
    StringBuilder uris = new StringBuilder();
    for (String path : classPath()) {
      uris.append(Path.of(path).toUri()).append(' ');
    }
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, uris.toString().strip());
    jar(jar, manifest, Relocation.NONE);
    assertThat(ChildJvm.plain().with("--illegal-native-access=deny", "-jar").run(jar.toString()))
        .startsWith(SERVED);
  }

  @Test
  void where_stack_traces_are_switched_off_the_natives_are_found_all_the_same() throws Exception {
    assertThat(onClassPath().with("-XX:-StackTraceInThrowable").run("app.Shop")).startsWith(SERVED);
  }

  @Test
  void an_application_that_is_undeployed_leaves_neither_classes_nor_library_behind()
      throws Exception {
    String[] said = onClassPath().run("dev.toolcrib.LoadProbe", "reload").split(" ");
    assertThat(said[0]).as("class loaders collected").isIn("9/10", "10/10");
    assertThat(Integer.parseInt(said[1])).as("copies still mapped").isLessThanOrEqualTo(1);
  }

  private static ChildJvm onClassPath() {
    return ChildJvm.withNativeAccess().classPath(classPath());
  }

  private static String temporary(Path directory) {
    return "-Djava.io.tmpdir=" + directory;
  }

  private Path unpackLibrary() throws IOException {
    Path library = directory.resolve(NativePlatform.current().fileName());
    Files.copy(CLASSES.resolve(NativePlatform.current().resource()), library);
    return library;
  }

  private Path moduleJar() throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Automatic-Module-Name", "dev.toolcrib");
    Path jar = directory.resolve("toolcrib.jar");
    jar(jar, manifest, Relocation.NONE, CLASSES);
    return jar;
  }

  private static String[] classPath() {
    return System.getProperty("java.class.path").split(File.pathSeparator);
  }

  /**
   * What Toolcrib needs, with {@code jar} in place of its own classes and of those of the tests.
   */
  private static String[] withoutToolcrib(Path jar) {
    Stream<String> needed =
        Arrays.stream(classPath())
            .filter(path -> path.contains("slf4j-api") || path.contains("jspecify"));
    return Stream.concat(Stream.of(jar.toString()), needed).toArray(String[]::new);
  }

  private static Path location(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (java.net.URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /** Renames packages in class files and in their paths, as shading does. */
  private record Relocation(String... names) {
    static final Relocation NONE = new Relocation();

    String apply(String text) {
      String applied = text;
      for (int i = 0; i < names.length; i += 2) {
        applied = applied.replace(names[i], names[i + 1]);
        applied = applied.replace(names[i].replace('/', '.'), names[i + 1].replace('/', '.'));
      }
      return applied;
    }
  }

  /** Packs directories of {@link #CLASSES} or {@link #TEST_CLASSES}. */
  private static void jar(Path jar, Manifest manifest, Relocation relocation, Path... directories)
      throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      out.setLevel(Deflater.BEST_SPEED);
      for (Path directory : directories) {
        try (Stream<Path> files = Files.walk(directory)) {
          for (Path path : files.filter(Files::isRegularFile).sorted().toList()) {
            add(out, relocation, path);
          }
        }
      }
    }
  }

  private static void add(JarOutputStream out, Relocation relocation, Path path)
      throws IOException {
    Path root = path.startsWith(TEST_CLASSES) ? TEST_CLASSES : CLASSES;
    String name = root.relativize(path).toString();
    out.putNextEntry(new JarEntry(relocation.apply(name)));
    if (name.endsWith(".class")) {
      String content = Files.readString(path, StandardCharsets.ISO_8859_1);
      out.write(relocation.apply(content).getBytes(StandardCharsets.ISO_8859_1));
    } else {
      // In pieces: with -Xcheck:jni the compressor copies all that it is given again and again.
      Files.copy(path, out);
    }
    out.closeEntry();
  }
}
