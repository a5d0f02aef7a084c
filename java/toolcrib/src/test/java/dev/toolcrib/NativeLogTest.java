package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class NativeLogTest {

  private final Logger logger = (Logger) LoggerFactory.getLogger("dev.toolcrib.native");
  private final ListAppender<ILoggingEvent> events = new ListAppender<>();

  @BeforeEach
  void listen() {
    events.start();
    logger.addAppender(events);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(events);
    logger.setLevel(null);
  }

  @Test
  void events_arrive_with_level_and_fields_when_their_level_is_on() {
    logger.setLevel(Level.DEBUG);
    putOrders();
    assertThat(events.list)
        .anySatisfy(
            event -> {
              assertThat(event.getLevel()).isEqualTo(Level.DEBUG);
              assertThat(event.getMessage()).isEqualTo("source published");
              assertThat(event.getKeyValuePairs())
                  .anyMatch(field -> field.key.equals("source") && field.value.equals("orders"));
            });
  }

  @Test
  void a_disabled_level_does_not_even_cross() {
    logger.setLevel(Level.INFO);
    putOrders();
    // Had the native side let it through, logging would have dropped it; so open the gate only
    // here.
    logger.setLevel(Level.DEBUG);
    assertThat(events.list).isEmpty();
  }

  @Test
  void an_appender_that_throws_loses_its_event_and_nothing_more() {
    ListAppender<ILoggingEvent> broken =
        new ListAppender<>() {
          @Override
          public void doAppend(ILoggingEvent event) {
            throw new IllegalStateException("the disk is full");
          }
        };
    logger.setLevel(Level.DEBUG);
    logger.addAppender(broken);
    try {
      putOrders();
    } finally {
      logger.detachAppender(broken);
    }
    assertThat(events.list).isNotEmpty();
  }

  private static void putOrders() {
    try (ToolRegistry registry = ToolRegistry.builder().build()) {
      registry.put(Tools.orders(ToolExecutor.blocking(call -> ToolResult.text("done"))));
    }
  }
}
