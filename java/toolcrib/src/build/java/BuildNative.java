import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Builds the native library with cargo and lays it where the jar keeps it, its SHA-256 beside it.
 * Run by Maven as one source file: {@code java BuildNative.java WORKSPACE CLASSES PROFILE}. Costs
 * what cargo takes to see that nothing changed, where nothing did.
 */
final class BuildNative {

  private BuildNative() {}

  public static void main(String[] args) throws Exception {
    Path workspace = Path.of(args[0]).toRealPath();
    Path classes = Path.of(args[1]);
    String profile = args[2];
    cargo(
        workspace,
        List.of("build", "--locked", "--lib", "--package=toolcrib", "--profile=" + profile));

    String os = System.getProperty("os.name").toLowerCase(java.util.Locale.ROOT);
    String file =
        os.startsWith("windows")
            ? "toolcrib.dll"
            : os.startsWith("mac") ? "libtoolcrib.dylib" : "libtoolcrib.so";
    Path library =
        targetDirectory(workspace).resolve(profile.equals("dev") ? "debug" : profile).resolve(file);
    Path directory = classes.resolve("META-INF/native").resolve(platform(os));
    Files.createDirectories(directory);
    replace(directory.resolve(file), Files.readAllBytes(library));
    replace(directory.resolve(file + ".sha256"), sha256(library));
  }

  /**
   * Named as {@code NativePlatform} names it when the library is loaded; a test compares the two.
   */
  private static String platform(String os) {
    String arch = System.getProperty("os.arch").toLowerCase(java.util.Locale.ROOT);
    String family = os.startsWith("windows") ? "windows" : os.startsWith("mac") ? "macos" : os;
    return family
        + "-"
        + (arch.equals("amd64") ? "x86_64" : arch.equals("arm64") ? "aarch64" : arch);
  }

  private static Path targetDirectory(Path workspace) {
    String elsewhere = System.getenv("CARGO_TARGET_DIR");
    return elsewhere == null ? workspace.resolve("target") : workspace.resolve(elsewhere);
  }

  private static void cargo(Path workspace, List<String> arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("cargo"));
    command.addAll(arguments);
    int status;
    try {
      status =
          new ProcessBuilder(command).directory(workspace.toFile()).inheritIO().start().waitFor();
    } catch (IOException e) {
      throw new IOException("cargo cannot be started: building Toolcrib needs a Rust toolchain", e);
    }
    if (status != 0) {
      System.exit(status);
    }
  }

  /** Leaves a file alone that is as it should be, so that nothing is packaged again for nothing. */
  private static void replace(Path file, byte[] content) throws IOException {
    if (Files.exists(file) && java.util.Arrays.equals(Files.readAllBytes(file), content)) {
      return;
    }
    Path part = Files.write(file.resolveSibling(file.getFileName() + ".part"), content);
    Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
  }

  private static byte[] sha256(Path file) throws Exception {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
    return HexFormat.of().formatHex(digest).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
  }
}
