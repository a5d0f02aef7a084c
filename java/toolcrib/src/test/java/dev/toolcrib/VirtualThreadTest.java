package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

class VirtualThreadTest {

  @Test
  void no_carrier_is_held_for_the_length_of_a_tool() throws Exception {
    assumeTrue(Runtime.version().feature() >= 24, "before, every synchronized block holds one");
    assertThat(
            ChildJvm.withNativeAccess()
                .with("-Djdk.virtualThreadScheduler.parallelism=2")
                .with("-Djdk.virtualThreadScheduler.maxPoolSize=2")
                .classPath(System.getProperty("java.class.path"))
                .run("dev.toolcrib.VirtualThreadProbe"))
        .isEqualTo("200 done, 0 held a carrier");
  }
}
