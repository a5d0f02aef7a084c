package dev.toolcrib;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/** Events of the native side, as events of one logger. */
final class NativeLog {

  private static final Logger LOG = LoggerFactory.getLogger("dev.toolcrib.native");

  // The position of each, plus one, is its number on the wire.
  private static final Level[] LEVELS = {
    Level.ERROR, Level.WARN, Level.INFO, Level.DEBUG, Level.TRACE
  };

  private static volatile int passed = -1;

  private NativeLog() {}

  /** Tells the native side which levels the logger has on, if that changed; others never cross. */
  static void passLevel() {
    int level = LEVELS.length;
    while (level > 0 && !LOG.isEnabledForLevel(LEVELS[level - 1])) {
      level--;
    }
    if (level != passed) {
      NativeBridge.logLevel(level);
      passed = level;
    }
  }

  /**
   * Called by native code, in the middle of something else: an appender that throws loses its event
   * and nothing more.
   */
  static void event(byte[] frame) {
    try {
      FrameReader.read(frame, NativeLog::log);
    } catch (RuntimeException e) {
      // Telling of it would go to the same appender.
    }
  }

  private static LoggingEventBuilder log(FrameReader event) {
    LoggingEventBuilder log = LOG.atLevel(LEVELS[event.count() - 1]).setMessage(event.text());
    for (int fields = event.count(); fields > 0; fields--) {
      log = log.addKeyValue(event.text(), event.text());
    }
    log.log();
    return log;
  }
}
