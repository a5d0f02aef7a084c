package dev.toolcrib.demo.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.Caller;
import dev.toolcrib.spring.boot.ToolSessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The READMEs promise that a service is done with a dependency, a bean and an authorizer. */
class QuickStartTest {

  private static final Path SOURCE =
      Path.of("src/test/java/dev/toolcrib/demo/quickstart/QuickStart.java");
  private static final Caller SALES = Caller.of("linsun-cn", "chen.wei").withRoles("ROLE_SALES");
  private static final Caller GUEST = Caller.of("linsun-cn", "guest");

  @Test
  void doesWhatTheReadmeSays() {
    new ApplicationContextRunner()
        .withUserConfiguration(QuickStart.class, QuickStart.Tools.class)
        .run(
            context -> {
              ToolSessions sessions = context.getBean(ToolSessions.class);
              String[] sales = QuickStart.turn(sessions, SALES);
              assertThat(sales[0]).contains("tool_search").doesNotContain("order_get");
              assertThat(sales[1]).contains("order_get");
              assertThat(sales[2]).contains("order_get").contains("订单号，例如 SO-1001");

              String[] guest = QuickStart.turn(sessions, GUEST);
              assertThat(guest).noneMatch(text -> text.contains("order_get"));
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"README.md", "README.zh-CN.md"})
  void standsInTheReadmeLetterByLetter(String readme) throws Exception {
    String text = Files.readString(Path.of("../..").resolve(readme));
    String code = Files.readString(SOURCE);
    for (String part : new String[] {"tools", "turn"}) {
      var marked =
          Pattern.compile("// <" + part + ">\n(.*?)\\s*// </" + part + ">", Pattern.DOTALL)
              .matcher(code);
      assertThat(marked.find()).isTrue();
      assertThat(text).contains(marked.group(1).stripIndent().strip());
    }
  }
}
