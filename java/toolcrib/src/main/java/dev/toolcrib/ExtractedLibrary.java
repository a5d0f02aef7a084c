package dev.toolcrib;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A copy of the native library in a directory that only this user can enter. Each class loader gets
 * its own copy, since a JVM loads one file for one class loader only.
 *
 * <p>Closing deletes the copy, which a system that still has it open does not mind; where it does
 * mind (Windows) the copy goes when the JVM exits.
 */
final class ExtractedLibrary implements AutoCloseable {

  private final Path directory;
  private final Path file;

  private ExtractedLibrary(Path directory, Path file) {
    this.directory = directory;
    this.file = file;
  }

  static ExtractedLibrary extract() throws LoadFailure {
    NativePlatform platform = NativePlatform.current();
    byte[] library = read(platform, platform.resource());
    String expected =
        new String(read(platform, platform.resource() + ".sha256"), StandardCharsets.US_ASCII);
    if (!sha256(library).equals(expected.strip())) {
      throw new LoadFailure(
          "the native library in the jar is damaged: its SHA-256 is not the one beside it");
    }
    String parent =
        System.getProperty(
            NativeLibrary.DIRECTORY_PROPERTY, System.getProperty("java.io.tmpdir", "."));
    try {
      Path directory = createPrivateDirectory(Path.of(parent));
      ExtractedLibrary extracted =
          new ExtractedLibrary(directory, directory.resolve(platform.fileName()));
      extracted.write(library);
      return extracted;
    } catch (IOException e) {
      throw new LoadFailure(
          "cannot write the native library to %s (%s bytes, %s): name a writable directory with -D%s=DIR, or unpack the library from the jar beforehand and name it with -D%s=FILE"
              .formatted(
                  parent,
                  library.length,
                  e.getMessage(),
                  NativeLibrary.DIRECTORY_PROPERTY,
                  NativeLibrary.PATH_PROPERTY),
          e);
    }
  }

  /** Leaves nothing behind where there is no room. */
  private void write(byte[] library) throws IOException {
    try {
      Files.write(file, library);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  String path() {
    return file.toAbsolutePath().toString();
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(file);
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      // What was named last is deleted first.
      directory.toFile().deleteOnExit();
      file.toFile().deleteOnExit();
    }
  }

  private static byte[] read(NativePlatform platform, String resource) throws LoadFailure {
    try (InputStream in = ExtractedLibrary.class.getClassLoader().getResourceAsStream(resource)) {
      if (in == null) {
        throw new LoadFailure(
            "there is no native library for %s on the class path (no resource %s): add the jar of this platform (classifier %s), or build the library and name it with -D%s=FILE"
                .formatted(
                    platform.name(), resource, platform.name(), NativeLibrary.PATH_PROPERTY));
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new LoadFailure("cannot read the native library from the jar", e);
    }
  }

  private static Path createPrivateDirectory(Path parent) throws IOException {
    FileStore store = Files.getFileStore(parent);
    FileAttribute<?>[] ownerOnly =
        store.supportsFileAttributeView("posix")
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
            }
            : new FileAttribute<?>[0];
    return Files.createTempDirectory(parent, "toolcrib-", ownerOnly);
  }

  private static String sha256(byte[] bytes) throws LoadFailure {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new LoadFailure("this JVM has no SHA-256", e);
    }
  }
}
