package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** What a native image is told that native code reaches is there to be reached. */
class ReachabilityTest {

  private static final String METADATA =
      "META-INF/native-image/dev.toolcrib/toolcrib/reachability-metadata.json";

  @Test
  void every_class_and_method_that_is_named_exists() throws Exception {
    List<String> classes = new ArrayList<>();
    try (InputStream in = getClass().getClassLoader().getResourceAsStream(METADATA)) {
      for (JsonNode reached : new ObjectMapper().readTree(in).get("reflection")) {
        Class<?> type = Class.forName(reached.get("type").asString());
        classes.add(type.getSimpleName());
        assertThat(reached.get("jniAccessible").asBoolean()).isTrue();
        for (JsonNode method : reached.path("methods")) {
          assertHas(type, method);
        }
      }
    }
    assertThat(classes).contains("NativeBridge", "NativeErrors", "NativeLog");
  }

  private static void assertHas(Class<?> type, JsonNode method) throws Exception {
    List<Class<?>> parameters = new ArrayList<>();
    for (JsonNode parameter : method.get("parameterTypes")) {
      String name = parameter.asString();
      parameters.add(name.equals("byte[]") ? byte[].class : Class.forName(name));
    }
    Class<?>[] types = parameters.toArray(Class<?>[]::new);
    String name = method.get("name").asString();
    assertThat(
            name.equals("<init>")
                ? type.getConstructor(types)
                : type.getDeclaredMethod(name, types))
        .isNotNull();
  }
}
