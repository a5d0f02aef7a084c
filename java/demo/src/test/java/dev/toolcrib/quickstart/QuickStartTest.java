package dev.toolcrib.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolcrib.Caller;
import dev.toolcrib.spring.boot.ToolSessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The READMEs promise that a service is done with a dependency, a bean and an authorizer. */
class QuickStartTest {

  private static final Path SOURCE =
      Path.of("src/test/java/dev/toolcrib/quickstart/QuickStart.java");
  private static final Caller SALES = Caller.of("linsun-cn", "chen.wei").withRoles("ROLE_SALES");
  private static final Caller GUEST = Caller.of("linsun-cn", "guest");

  @Test
  void doesWhatTheReadmeSays() {
    new ApplicationContextRunner()
        .withUserConfiguration(QuickStart.class, QuickStart.Tools.class)
        .run(
            context -> {
              ToolSessions sessions = context.getBean(ToolSessions.class);
              List<String> sales = turn(sessions, SALES);
              assertThat(sales.get(0)).contains("tool_search").doesNotContain("order_get");
              assertThat(sales.get(1)).contains("order_get");
              assertThat(sales.get(2)).contains("order_get").contains("订单号，例如 SO-1001");

              assertThat(turn(sessions, GUEST)).noneMatch(text -> text.contains("order_get"));
            });
  }

  /** What a model is sent in the turn: declarations, an answer, declarations. */
  private static List<String> turn(ToolSessions sessions, Caller caller) throws Exception {
    List<String> sent = new ArrayList<>();
    QuickStart.turn(
        sessions,
        caller,
        new QuickStart.Model() {
          @Override
          public void request(String tools) {
            sent.add(tools);
          }

          @Override
          public void answer(String text) {
            sent.add(text);
          }
        });
    return sent;
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
