package dev.toolcrib.spring.boot.autoconfigure;

import static dev.toolcrib.spring.boot.Crib.CLERK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.CallRequest;
import dev.toolcrib.Caller;
import dev.toolcrib.Decision;
import dev.toolcrib.ToolAuthorizer;
import dev.toolcrib.ToolCall;
import dev.toolcrib.ToolDefinition;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSource;
import dev.toolcrib.spring.boot.Crib;
import dev.toolcrib.spring.boot.ToolConversation;
import dev.toolcrib.spring.boot.ToolSessions;
import dev.toolcrib.spring.boot.actuate.ToolcribHealthIndicator;
import dev.toolcrib.spring.boot.actuate.ToolcribInfoContributor;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

class ObservabilityTest {

  private final ApplicationContextRunner context =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  JacksonAutoConfiguration.class,
                  MetricsAutoConfiguration.class,
                  ToolcribAutoConfiguration.class,
                  ToolcribHealthAutoConfiguration.class,
                  ToolcribInfoAutoConfiguration.class,
                  ToolcribMetricsAutoConfiguration.class))
          .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
          .withBean("orders", ToolSource.class, Crib::orders)
          .withBean(
              "broken",
              ToolSource.class,
              () ->
                  ToolSource.named("broken")
                      .tool(ToolDefinition.named("broken").inputSchema("{").build())
                      .build())
          .withBean(ToolAuthorizer.class, RefusesTracking::new);

  private static final class RefusesTracking implements ToolAuthorizer {
    @Override
    public ToolSelection authorizedTools(Caller caller) {
      return ToolSelection.tags("look");
    }

    @Override
    public Decision authorize(ToolCall call) {
      return call.tool().localName().equals("track_order")
          ? Decision.deny("not today")
          : Decision.permit();
    }
  }

  @Test
  void healthAndInfoTellFigures() {
    context.run(
        context -> {
          converse(context);
          Health health = context.getBean(ToolcribHealthIndicator.class).health();
          assertThat(health.getStatus()).isEqualTo(Status.UP);
          assertThat(health.getDetails())
              .containsEntry("sources", 2)
              .containsEntry("tools", 3)
              .containsEntry("quarantined", 1)
              .containsEntry("sessions", 1)
              .containsKey("registryVersion");

          Info.Builder info = new Info.Builder();
          context.getBean(ToolcribInfoContributor.class).contribute(info);
          assertThat((Map<?, ?>) info.build().get("toolcrib")).hasSize(5);
        });
  }

  @Test
  void aClosedRegistryIsDown() {
    context.run(
        context -> {
          context.getBean(ToolRegistry.class).close();
          assertThat(context.getBean(ToolcribHealthIndicator.class).health().getStatus())
              .isEqualTo(Status.DOWN);
        });
  }

  @Test
  void contributionsCanBeSwitchedOff() {
    context
        .withPropertyValues(
            "management.health.toolcrib.enabled=false", "management.info.toolcrib.enabled=false")
        .run(
            context ->
                assertThat(context)
                    .doesNotHaveBean(ToolcribHealthIndicator.class)
                    .doesNotHaveBean(ToolcribInfoContributor.class));
  }

  @Test
  void searchesActivationsCallsAndRefusalsAreMeasured() {
    context.run(
        context -> {
          converse(context);
          assertThat(meters(context))
              .containsExactlyInAnyOrder(
                  "toolcrib.search{outcome=found} 1",
                  "toolcrib.search{outcome=nothing_found} 1",
                  "toolcrib.activation{} 2",
                  "toolcrib.call{origin=model, outcome=completed, source=orders} 1",
                  "toolcrib.call{origin=model, outcome=invalid_arguments, source=orders} 1",
                  "toolcrib.call{origin=model, outcome=not_found, source=none} 2",
                  "toolcrib.call{origin=model, outcome=refused, source=orders} 1",
                  "toolcrib.refusal{origin=model, outcome=not_found, source=none} 2",
                  "toolcrib.refusal{origin=model, outcome=refused, source=orders} 1",
                  "toolcrib.sessions{} 1",
                  "toolcrib.sources{} 2",
                  "toolcrib.tools{} 3",
                  "toolcrib.quarantined{} 1");
        });
  }

  @Test
  void namesOfToolsAreTagsOnlyWhereAskedForAndNeverThoseThatAModelMadeUp() {
    context
        .withPropertyValues("toolcrib.metrics.tool-names=true")
        .run(
            context -> {
              converse(context);
              assertThat(meters(context))
                  .contains(
                      "toolcrib.call{origin=model, outcome=completed, source=orders,"
                          + " tool=mcp__orders__find_order} 1",
                      "toolcrib.call{origin=model, outcome=not_found, source=none, tool=none} 2");
            });
  }

  private static void converse(ApplicationContext context) {
    ToolSessions sessions = context.getBean(ToolSessions.class);
    try (ToolConversation conversation = sessions.open(CLERK, "c1")) {
      conversation.search("order");
      conversation.search("zzzz");
      conversation.call(CallRequest.of("mcp__orders__find_order", "{\"order\":\"A\"}")).join();
      conversation.call(CallRequest.of("mcp__orders__find_order", "{}")).join();
      conversation.call(CallRequest.of("mcp__orders__track_order", "{\"order\":\"A\"}")).join();
      conversation.call(CallRequest.of("mcp__orders__refund_order", "{}")).join();
      conversation.call(CallRequest.of("made_up", "{}")).join();
    }
  }

  private static List<String> meters(ApplicationContext context) {
    return context.getBean(MeterRegistry.class).getMeters().stream()
        .filter(meter -> meter.getId().getName().startsWith("toolcrib"))
        .map(ObservabilityTest::text)
        .toList();
  }

  private static String text(Meter meter) {
    String tags =
        meter.getId().getTags().stream()
            .map((Tag tag) -> tag.getKey() + "=" + tag.getValue())
            .collect(Collectors.joining(", ", "{", "}"));
    double value = meter.measure().iterator().next().getValue();
    return "%s%s %.0f".formatted(meter.getId().getName(), tags, value);
  }
}
