package dev.toolcrib.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.ToolAuthorizer;
import dev.toolcrib.ToolSource;
import dev.toolcrib.spring.boot.Crib;
import dev.toolcrib.spring.boot.web.CallerResolver;
import dev.toolcrib.spring.boot.web.ToolsController;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.http.MediaType;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.web.context.WebApplicationContext;

@ExtendWith(OutputCaptureExtension.class)
class ToolcribWebMvcAutoConfigurationTest {

  private final WebApplicationContextRunner context =
      new WebApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  JacksonAutoConfiguration.class,
                  HttpMessageConvertersAutoConfiguration.class,
                  WebMvcAutoConfiguration.class,
                  ToolcribAutoConfiguration.class,
                  ToolcribSecurityAutoConfiguration.class,
                  ToolcribWebMvcAutoConfiguration.class))
          .withBean("orders", ToolSource.class, Crib::orders)
          .withBean(ToolAuthorizer.class, Crib::byRole);

  private final WebApplicationContextRunner enabled =
      context.withPropertyValues("toolcrib.endpoints.enabled=true");

  private static final FilteredClassLoader NO_SECURITY =
      new FilteredClassLoader("org.springframework.security");

  @Test
  void withoutThePropertyThereAreNoEndpoints() {
    context
        .withBean(CallerResolver.class, () -> request -> Crib.CLERK)
        .run(
            context -> {
              assertThat(context).doesNotHaveBean(ToolsController.class);
              assertThat(list(context, "/tools/list")).hasStatus(404);
            });
  }

  @Test
  void withoutSecurityAndResolverEverythingIsDeniedAndTheLogSaysSo(CapturedOutput output) {
    enabled
        .withClassLoader(NO_SECURITY)
        .run(
            context -> {
              assertThat(list(context, "/tools/list")).hasStatus(401);
              assertThat(output).contains("neither Spring Security nor a CallerResolver");
            });
  }

  @Test
  void withSecurityTheAuthenticationTellsTheCaller(CapturedOutput output) {
    enabled
        .withPropertyValues("toolcrib.caller.tenant=acme")
        .run(
            context -> {
              assertThat(list(context, "/tools/list")).hasStatus(401);
              SecurityContextHolder.getContext()
                  .setAuthentication(new TestingAuthenticationToken("ann", null, "clerk"));
              assertThat(list(context, "/tools/list")).hasStatusOk();
              assertThat(output).doesNotContain("neither Spring Security");
            });
  }

  @Test
  void withSecurityButWithoutAPropertyForTheTenantEverybodyIsDenied() {
    enabled.run(
        context -> {
          SecurityContextHolder.getContext()
              .setAuthentication(new TestingAuthenticationToken("ann", null, "clerk"));
          assertThat(list(context, "/tools/list")).hasStatus(403);
        });
  }

  @AfterEach
  void clearSecurityContext() {
    SecurityContextHolder.clearContext();
  }

  @Test
  void aResolverBeanTellsTheCaller() {
    enabled
        .withClassLoader(NO_SECURITY)
        .withBean(CallerResolver.class, () -> request -> Crib.CLERK)
        .run(
            context ->
                assertThat(list(context, "/tools/list"))
                    .hasStatusOk()
                    .bodyJson()
                    .extractingPath("total")
                    .isEqualTo(2));
  }

  @Test
  void aResolverThatThrowsLetsNobodyIn() {
    enabled
        .withBean(
            CallerResolver.class,
            () ->
                request -> {
                  throw new UnsupportedOperationException("jdbc:secret");
                })
        .run(
            context ->
                assertThat(list(context, "/tools/list"))
                    .hasStatus(500)
                    .bodyText()
                    .contains("internal_error")
                    .doesNotContain("secret"));
  }

  @Test
  void sizesThatCannotWorkStopTheStart() {
    for (String property : List.of("page-size=0", "max-page-size=1", "max-body-size=2GB")) {
      enabled
          .withPropertyValues("toolcrib.endpoints." + property)
          .run(context -> assertThat(context).hasFailed());
    }
  }

  @Test
  void theBasePathIsTheServices() {
    enabled
        .withPropertyValues("toolcrib.endpoints.base-path=/api/ai/tools")
        .withBean(CallerResolver.class, () -> request -> Crib.CLERK)
        .run(context -> assertThat(list(context, "/api/ai/tools/list")).hasStatusOk());
  }

  private static MvcTestResult list(WebApplicationContext context, String uri) {
    return MockMvcTester.from(context)
        .post()
        .uri(uri)
        .contentType(MediaType.APPLICATION_JSON)
        .content("{}")
        .exchange();
  }
}
