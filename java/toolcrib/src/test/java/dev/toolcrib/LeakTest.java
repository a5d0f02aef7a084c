package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What was opened is gone once it is closed, and told of where it never was. */
class LeakTest {

  private static final int ROUNDS = 11;

  private final Logger logger = (Logger) LoggerFactory.getLogger(NativeHandle.class);
  private final LinkedBlockingQueue<ILoggingEvent> warnings = new LinkedBlockingQueue<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          warnings.add(event);
        }
      };

  @BeforeEach
  void listen() {
    logger.setLevel(Level.WARN);
    appender.start();
    logger.addAppender(appender);
  }

  @AfterEach
  void stopListening() {
    System.clearProperty(NativeHandle.DEBUG_PROPERTY);
    logger.detachAppender(appender);
    logger.setLevel(null);
  }

  @Test
  void a_lost_session_is_reported_with_the_place_that_opened_it_in_debug_mode() throws Exception {
    System.setProperty(NativeHandle.DEBUG_PROPERTY, "true");
    try (ToolRegistry registry = ToolRegistry.builder().build()) {
      openAndLose(registry);
      ILoggingEvent warning = nextWarning();
      assertThat(warning.getFormattedMessage())
          .isEqualTo("a tool session was lost without being closed");
      assertThat(warning.getThrowableProxy().getStackTraceElementProxyArray())
          .anyMatch(frame -> frame.getSTEAsString().contains("LeakTest.openAndLose"));
    }
  }

  @Test
  void what_is_lost_again_and_again_is_reported_less_and_less_with_a_hint() throws Exception {
    try (ToolRegistry registry = ToolRegistry.builder().build()) {
      for (int i = 0; i < 100; i++) {
        openAndLose(registry);
      }
      assertThat(nextWarning().getFormattedMessage())
          .contains("so far", "-D" + NativeHandle.DEBUG_PROPERTY + "=true");
      assertThat(warnings.size()).isLessThan(10);
    }
  }

  /**
   * {@code -Dleak.sessions=100000} lives through more than a million in all. What may grow is what
   * the JVM keeps for itself, which it does for longer on a busy machine: less than 2 KiB a session
   * here, where a session that was kept would take many times as much.
   */
  @Test
  void memory_does_not_grow_with_the_sessions_that_were_closed() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/self/statm")), "the system tells no resident bytes");
    int sessions = Integer.getInteger("leak.sessions", 500);
    String said =
        ChildJvm.withNativeAccess()
            .with("-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC")
            .classPath(System.getProperty("java.class.path"))
            .within(sessions > 5_000 ? 7_200 : 120)
            .run("dev.toolcrib.LeakProbe", String.valueOf(ROUNDS), String.valueOf(sessions));
    System.out.println(sessions + " sessions a round, growth a round in bytes: " + said);
    String[] words = said.split(" ");
    assertThat(Long.parseLong(words[1])).as(said).isLessThan(64 << 10);
    assertThat(Long.parseLong(words[3])).as(said).isLessThan(1 << 20);
  }

  private static void openAndLose(ToolRegistry registry) {
    registry.session(Tools.ANN).open();
  }

  private ILoggingEvent nextWarning() throws InterruptedException {
    for (int patience = 0; patience < 100; patience++) {
      System.gc();
      ILoggingEvent warning = warnings.poll(100, TimeUnit.MILLISECONDS);
      if (warning != null) {
        return warning;
      }
    }
    throw new AssertionError("nothing was said of what was lost");
  }
}
