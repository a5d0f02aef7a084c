package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loading, each case in a JVM of its own. */
class NativeLibraryTest {

  private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

  @TempDir Path directory;

  @Test
  void the_library_says_what_it_is() {
    NativeVersion version = Toolcrib.version();
    assertThat(version.abi()).isEqualTo(NativeBridge.ABI);
    assertThat(version.version()).matches("\\d+\\.\\d+\\.\\d+");
    assertThat(version.commit()).matches("[0-9a-f]{12}|unknown");
    assertThat(version.target()).contains("-");
    assertThat(version.profile()).isIn("release", "debug");
    assertThat(Toolcrib.unavailability()).isEmpty();
  }

  @Test
  void the_extracted_copy_is_gone_once_it_is_loaded() throws Exception {
    assertThat(run(List.of("-Dtoolcrib.native.directory=" + directory), "load"))
        .startsWith("loaded");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void a_named_library_is_loaded_in_place_of_the_one_in_the_jar() throws Exception {
    Path library = directory.resolve("named.so");
    try (var in =
        getClass().getClassLoader().getResourceAsStream(NativePlatform.current().resource())) {
      Files.copy(in, library);
    }
    assertThat(run(List.of("-Dtoolcrib.native.path=" + library, "-Dos.arch=sparc"), "load"))
        .startsWith("loaded");
    assertThat(run(List.of("-Dtoolcrib.native.path=" + directory.resolve("none.so")), "load"))
        .contains("toolcrib.native.path", "none.so");
  }

  @Test
  void a_failure_tells_what_to_do_and_is_told_again() throws Exception {
    assertThat(run(List.of("-Dos.arch=sparc"), "load"))
        .contains(
            "no native library for linux-sparc", "META-INF/native/linux-sparc/libtoolcrib.so");
    assertThat(run(List.of("-Dos.arch=sparc"), "twice"))
        .startsWith("again: there is no native library for linux-sparc");
    Path missing = directory.resolve("missing");
    assertThat(run(List.of("-Dtoolcrib.native.directory=" + missing), "load"))
        .contains(
            "cannot write the native library to " + missing, "-Dtoolcrib.native.directory=DIR");
  }

  @Test
  void a_damaged_library_is_not_loaded() throws Exception {
    Path damaged = directory.resolve(NativePlatform.current().resource());
    Files.createDirectories(damaged.getParent());
    Files.write(damaged, new byte[] {1, 2, 3});
    String classPath = directory + File.pathSeparator + System.getProperty("java.class.path");
    assertThat(run(List.of("-cp", classPath), "load")).contains("SHA-256");
  }

  @Test
  void two_class_loaders_of_one_jvm_have_a_library_each() throws Exception {
    assertThat(run(List.of(), "two-loaders").lines())
        .hasSize(2)
        .allMatch(l -> l.contains("abi=" + NativeBridge.ABI));
  }

  @Test
  void what_is_left_open_does_not_keep_the_jvm_from_exiting() throws Exception {
    assertThat(run(List.of(), "leave-open")).isEqualTo("done");
    long start = System.nanoTime();
    assertThat(run(List.of(), "leave-script")).isEqualTo("running");
    // A script may run for 30 seconds; nobody waited for it.
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(25));
  }

  @Test
  void a_jvm_that_denies_native_access_is_told_how_to_allow_it() throws Exception {
    assumeTrue(Runtime.version().feature() >= 24, "JVMs before 24 cannot deny it");
    assertThat(runWithout(List.of("--illegal-native-access=deny"), "load"))
        .contains("--enable-native-access=ALL-UNNAMED");
  }

  @Test
  void advice_follows_what_the_system_says() {
    assertThat(advice("/tmp/x.so: failed to map segment from shared object")).contains("noexec");
    assertThat(advice("/tmp/x.so: version `GLIBC_2.38' not found")).contains("C library");
    assertThat(advice("something else")).contains("something else");
  }

  @Test
  void platforms_are_named_by_one_rule() {
    assertThat(NativePlatform.of("Linux", "amd64", false).resource())
        .isEqualTo("META-INF/native/linux-x86_64/libtoolcrib.so");
    assertThat(NativePlatform.of("Linux", "aarch64", true).resource())
        .isEqualTo("META-INF/native/linux-aarch64-musl/libtoolcrib.so");
    assertThat(NativePlatform.of("Mac OS X", "aarch64", false).resource())
        .isEqualTo("META-INF/native/macos-aarch64/libtoolcrib.dylib");
    assertThat(NativePlatform.of("Windows 11", "amd64", false).resource())
        .isEqualTo("META-INF/native/windows-x86_64/toolcrib.dll");
  }

  @Test
  void the_c_library_is_the_one_that_the_process_has_mapped() throws Exception {
    String glibc = "7f1c-7f1d r-xp 0 08:01 42 /usr/lib/x86_64-linux-gnu/libc.so.6";
    String musl = "7f1c-7f1d r-xp 0 08:01 42 /lib/ld-musl-x86_64.so.1";
    String linked = "7f1c-7f1d r-xp 0 08:01 42 /lib/libc.musl-aarch64.so.1";
    assertThat(NativePlatform.mapsMusl(Stream.of(glibc))).isFalse();
    assertThat(NativePlatform.mapsMusl(Stream.of(glibc, musl))).isTrue();
    assertThat(NativePlatform.mapsMusl(Stream.of(linked))).isTrue();
    // A machine that has both, as one with musl's development files has, is told by the process.
    assertThat(run(List.of("-Dtoolcrib.native.platform=linux-sparc-musl"), "load"))
        .contains("META-INF/native/linux-sparc-musl/libtoolcrib.so");
  }

  private static String advice(String said) {
    return LoadAdvice.forLinkError(new UnsatisfiedLinkError(said), null);
  }

  private static String run(List<String> options, String probe) throws Exception {
    List<String> all = new ArrayList<>(List.of(NATIVE_ACCESS));
    all.addAll(options);
    return runWithout(all, probe);
  }

  /** Runs the probe in a JVM that is granted nothing, and gives what it printed. */
  private static String runWithout(List<String> options, String probe) throws Exception {
    return ChildJvm.plain()
        .classPath(System.getProperty("java.class.path"))
        .with(options.toArray(String[]::new))
        .run("dev.toolcrib.LoadProbe", probe);
  }
}
