package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs after the JVM that ran all other tests with {@code -Xcheck:jni}, and fails on what that JVM
 * had to say. Surefire would not: the JVM does not tell it.
 */
@Tag("jvm-log")
class JvmLogTest {

  @Test
  void the_tests_broke_no_rule_of_jni() throws Exception {
    List<String> log = Files.readAllLines(Path.of(System.getProperty("jvm.log")));
    // The log is that of a JVM that did check, or its silence means nothing.
    assertThat(log).anyMatch(line -> line.contains("-Xcheck:jni"));
    assertThat(log).noneMatch(line -> line.contains("WARNING") || line.contains("FATAL"));
  }
}
