package dev.toolcrib.spring.boot.autoconfigure;

import static dev.toolcrib.spring.boot.Crib.CLERK;
import static dev.toolcrib.spring.boot.Crib.MANAGER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.CallRequest;
import dev.toolcrib.CallResult;
import dev.toolcrib.Caller;
import dev.toolcrib.Decision;
import dev.toolcrib.SessionState.Standing;
import dev.toolcrib.Target;
import dev.toolcrib.ToolAuthorizer;
import dev.toolcrib.ToolCall;
import dev.toolcrib.ToolCallInterceptor;
import dev.toolcrib.ToolDefinition;
import dev.toolcrib.ToolExecutor;
import dev.toolcrib.ToolPage;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolResult;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSession;
import dev.toolcrib.ToolSource;
import dev.toolcrib.spring.boot.Crib;
import dev.toolcrib.spring.boot.ToolConversation;
import dev.toolcrib.spring.boot.ToolRegistryCustomizer;
import dev.toolcrib.spring.boot.ToolSessions;
import dev.toolcrib.spring.boot.tool.CribTool;
import dev.toolcrib.spring.boot.tool.ObjectTools;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

@ExtendWith(OutputCaptureExtension.class)
class ToolcribAutoConfigurationTest {

  private final ApplicationContextRunner context =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  JacksonAutoConfiguration.class,
                  ToolcribAutoConfiguration.class,
                  ToolcribSecurityAutoConfiguration.class,
                  ToolcribWebMvcAutoConfiguration.class));

  private final ApplicationContextRunner withOrders =
      context.withBean("orders", ToolSource.class, Crib::orders);

  @Test
  void withoutAnAuthorizerNothingIsListedAndTheLogSaysSo(CapturedOutput output) {
    withOrders.run(
        context -> {
          assertThat(names(context, MANAGER)).isEmpty();
          assertThat(output).containsOnlyOnce("There is no ToolAuthorizer bean");
        });
  }

  @Test
  void anAuthorizerThatThrowsMeansNothing() {
    withOrders
        .withBean(
            ToolAuthorizer.class,
            () ->
                caller -> {
                  throw new IllegalStateException("the directory is down");
                })
        .run(
            context -> {
              assertThat(names(context, MANAGER)).isEmpty();
              assertThat(call(context, MANAGER, "mcp__orders__find_order"))
                  .isInstanceOf(CallResult.NotFound.class);
            });
  }

  @Test
  void oneAuthorizerDecides(CapturedOutput output) {
    withOrders
        .withBean(ToolAuthorizer.class, Crib::byRole)
        .run(
            context -> {
              assertThat(names(context, CLERK))
                  .containsExactly("mcp__orders__find_order", "mcp__orders__track_order");
              assertThat(names(context, MANAGER)).hasSize(3);
              assertThat(output).doesNotContain("There is no ToolAuthorizer bean");
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class ThreeLinks {
    static final List<String> ASKED = new ArrayList<>();

    @Bean
    @Order(3)
    ToolAuthorizer business() {
      return link("business", ToolSelection.names("mcp__orders__refund_order").not());
    }

    @Bean
    @Order(1)
    ToolAuthorizer tenant() {
      return link("tenant", ToolSelection.sources("orders"));
    }

    @Bean
    @Order(2)
    ToolAuthorizer role() {
      return link("role", ToolSelection.all());
    }

    private static ToolAuthorizer link(String name, ToolSelection selection) {
      return new ToolAuthorizer() {
        @Override
        public ToolSelection authorizedTools(Caller caller) {
          return selection;
        }

        @Override
        public Decision authorize(ToolCall call) {
          ASKED.add(name);
          return name.equals("role") && call.tool().localName().equals("track_order")
              ? Decision.deny("not today")
              : Decision.permit();
        }
      };
    }
  }

  @Test
  void severalAuthorizersAreAChainInTheirOrder() {
    withOrders
        .withUserConfiguration(ThreeLinks.class)
        .run(
            context -> {
              ThreeLinks.ASKED.clear();
              assertThat(names(context, CLERK))
                  .containsExactly("mcp__orders__find_order", "mcp__orders__track_order");
              assertThat(call(context, CLERK, "mcp__orders__find_order").isError()).isFalse();
              assertThat(ThreeLinks.ASKED).containsExactly("tenant", "role", "business");

              ThreeLinks.ASKED.clear();
              assertThat(call(context, CLERK, "mcp__orders__track_order"))
                  .isInstanceOf(CallResult.Refused.class)
                  .satisfies(refused -> assertThat(refused.text()).isEqualTo("not today"));
              assertThat(ThreeLinks.ASKED).containsExactly("tenant", "role");
            });
  }

  @Test
  void interceptorsStandAroundEveryExecutionInTheirOrder() {
    withOrders
        .withUserConfiguration(TwoInterceptors.class)
        .withBean(ToolAuthorizer.class, Crib::byRole)
        .run(
            context -> {
              TwoInterceptors.SEEN.clear();
              assertThat(call(context, CLERK, "mcp__orders__find_order").isError()).isFalse();
              assertThat(TwoInterceptors.SEEN)
                  .containsExactly("before 1", "before 2", "after 2", "after 1");
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoInterceptors {
    static final List<String> SEEN = new ArrayList<>();

    @Bean
    @Order(2)
    ToolCallInterceptor second() {
      return seeing(2);
    }

    @Bean
    @Order(1)
    ToolCallInterceptor first() {
      return seeing(1);
    }

    private static ToolCallInterceptor seeing(int number) {
      return new ToolCallInterceptor() {
        @Override
        public Step before(ToolCall call) {
          SEEN.add("before " + number);
          return Step.proceed();
        }

        @Override
        public ToolResult after(ToolCall call, ToolResult result) {
          SEEN.add("after " + number);
          return result;
        }
      };
    }
  }

  @Test
  void codemodeIsOfferedInPlaceOfTheSearchWhereItIsSwitchedOn() {
    ApplicationContextRunner manager =
        withOrders.withBean(ToolAuthorizer.class, () -> caller -> ToolSelection.all());
    manager.run(context -> assertThat(declared(context)).containsExactly("tool_search"));
    manager
        .withPropertyValues("toolcrib.codemode.enabled=true")
        .run(context -> assertThat(declared(context)).containsExactly("codemode"));
  }

  private static List<String> declared(ApplicationContext context) {
    try (ToolConversation conversation =
        context.getBean(ToolSessions.class).openEphemeral(MANAGER)) {
      return conversation.render(Target.OPENAI_CHAT).toolNames();
    }
  }

  static class Annotated {
    @CribTool(description = "must be handed over to become a tool")
    String annotated() {
      return "executed";
    }
  }

  @Test
  void aBeanIsNoToolBecauseItIsABean() {
    context
        .withBean(ToolAuthorizer.class, () -> caller -> ToolSelection.all())
        .withBean(Annotated.class)
        .withBean(ToolExecutor.class, () -> call -> null)
        .withBean(ToolDefinition.class, () -> ToolDefinition.named("defined").build())
        .run(
            context -> {
              assertThat(names(context, CLERK)).isEmpty();
              assertThat(call(context, CLERK, "annotated")).isInstanceOf(CallResult.NotFound.class);
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class HandedOver {
    @Bean
    ToolSource annotatedSource(ObjectTools tools) {
      return tools.source("annotated", new Annotated()).build();
    }
  }

  @Test
  void anObjectHandedOverBecomesATool() {
    context
        .withBean(ToolAuthorizer.class, () -> caller -> ToolSelection.all())
        .withUserConfiguration(HandedOver.class)
        .run(context -> assertThat(call(context, CLERK, "annotated").text()).isEqualTo("executed"));
  }

  @Test
  void sourcesArePublishedInTheOrderOfTheirNames(CapturedOutput output) {
    context
        .withBean("first", ToolSource.class, () -> ToolSource.named("zebra").build())
        .withBean("second", ToolSource.class, () -> ToolSource.named("ant").build())
        .run(
            context ->
                assertThat(output.toString().indexOf("Tool source ant"))
                    .isPositive()
                    .isLessThan(output.toString().indexOf("Tool source zebra")));
  }

  @Test
  void aToolThatCannotBePublishedIsLoggedAndTheOthersArePublished(CapturedOutput output) {
    context
        .withBean(ToolAuthorizer.class, () -> caller -> ToolSelection.all())
        .withBean(
            ToolSource.class,
            () ->
                ToolSource.named("mixed")
                    .tool(ToolDefinition.named("broken").inputSchema("{").build())
                    .tool(ToolDefinition.named("sound").inputSchema("{}").build())
                    .build())
        .run(
            context -> {
              assertThat(names(context, CLERK)).containsExactly("mcp__mixed__sound");
              assertThat(output).contains("Tool broken of source mixed is not published");
              assertThat(context.getBean(ToolRegistry.class).info().quarantined()).isEqualTo(1);
            });
  }

  @Test
  void aSourceThatCannotBePublishedStopsTheStart() {
    context
        .withBean(ToolSource.class, () -> ToolSource.named("bad").toolsList("no JSON").build())
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .isInstanceOf(BeanCreationException.class)
                    .rootCause()
                    .message()
                    .isNotBlank());
  }

  @Test
  void twoSourcesOfOneNameStopTheStart() {
    context
        .withBean("one", ToolSource.class, () -> ToolSource.named("orders").build())
        .withBean("two", ToolSource.class, () -> ToolSource.named("orders").build())
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("two ToolSource beans are named orders"));
  }

  @Test
  void propertiesReachRegistryAndSessions() {
    withOrders
        .withBean(ToolAuthorizer.class, Crib::byRole)
        .withPropertyValues(
            "toolcrib.limits.max-search-limit=1",
            "toolcrib.limits.default-search-limit=1",
            "toolcrib.sessions.max=1")
        .run(
            context -> {
              ToolSessions sessions = context.getBean(ToolSessions.class);
              try (ToolConversation conversation = sessions.open(CLERK, "c1")) {
                assertThat(conversation.search("order").hits()).hasSize(1);
              }
              try (ToolConversation conversation = sessions.open(CLERK, "c2")) {
                assertThat(conversation.session().state().tools(Standing.ACTIVE)).isEmpty();
              }
              assertThat(sessions.size()).isEqualTo(1);
            });
  }

  @Test
  void aLimitThatDoesNotExistStopsTheStart() {
    context
        .withPropertyValues("toolcrib.limits.max-nonsense=1")
        .run(context -> assertThat(context).hasFailed());
  }

  @Test
  void tenantAndTenantClaimExcludeEachOther() {
    context
        .withPropertyValues("toolcrib.caller.tenant=acme", "toolcrib.caller.tenant-claim=org")
        .run(context -> assertThat(context).hasFailed());
  }

  @Test
  void aCustomizerHasTheLastWord() {
    List<String> ran = new ArrayList<>();
    Executor executor =
        task -> {
          ran.add("executor");
          task.run();
        };
    withOrders
        .withBean(ToolAuthorizer.class, Crib::byRole)
        .withBean(ToolRegistryCustomizer.class, () -> builder -> builder.executor(executor))
        .run(
            context -> {
              assertThat(call(context, CLERK, "mcp__orders__find_order").isError()).isFalse();
              assertThat(ran).containsExactly("executor");
            });
  }

  @Test
  void aRegistryOfOnesOwnReplacesTheAutoConfiguredOne() {
    withOrders
        .withBean(
            "own",
            ToolRegistry.class,
            () -> ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build())
        .run(
            context -> {
              assertThat(context)
                  .hasSingleBean(ToolRegistry.class)
                  .hasSingleBean(ToolSessions.class);
              assertThat(names(context, CLERK)).isEmpty();
            });
  }

  @Test
  void closingTheContextClosesSessionsAndRegistry() {
    ToolSession[] session = new ToolSession[1];
    ToolRegistry[] registry = new ToolRegistry[1];
    withOrders
        .withBean(ToolAuthorizer.class, Crib::byRole)
        .run(
            context -> {
              registry[0] = context.getBean(ToolRegistry.class);
              try (ToolConversation conversation =
                  context.getBean(ToolSessions.class).open(CLERK, "c1")) {
                session[0] = conversation.session();
              }
            });
    org.assertj.core.api.Assertions.assertThatIllegalStateException()
        .isThrownBy(() -> session[0].state());
    org.assertj.core.api.Assertions.assertThatIllegalStateException()
        .isThrownBy(() -> registry[0].info());
  }

  @Test
  void itWorksWithoutWebSecurityActuatorAndMicrometer() {
    withOrders
        .withBean(ToolAuthorizer.class, Crib::byRole)
        .withConfiguration(
            AutoConfigurations.of(
                ToolcribHealthAutoConfiguration.class,
                ToolcribInfoAutoConfiguration.class,
                ToolcribMetricsAutoConfiguration.class))
        .withClassLoader(
            new FilteredClassLoader(
                "org.springframework.web",
                "jakarta.servlet",
                "org.springframework.security",
                "org.springframework.boot.health.contributor",
                "org.springframework.boot.actuate.info",
                "io.micrometer"))
        .run(context -> assertThat(names(context, CLERK)).hasSize(2));
  }

  private static List<String> names(ApplicationContext context, Caller caller) {
    ToolPage page = context.getBean(ToolRegistry.class).list(caller, null, 100);
    return page.tools().stream().map(entry -> entry.tool().name()).toList();
  }

  private static CallResult call(ApplicationContext context, Caller caller, String name) {
    String arguments = name.contains("orders") ? "{\"order\":\"A-1\"}" : "{}";
    try (ToolConversation conversation =
        context.getBean(ToolSessions.class).openEphemeral(caller)) {
      return conversation.call(CallRequest.of(name, arguments).allowingInactive()).join();
    }
  }
}
