package dev.toolcrib.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ConfigurationMetadataTest {

  @Test
  void everyPropertyIsDescribedForEditors() throws IOException {
    JsonNode metadata;
    try (InputStream in =
        ToolcribProperties.class.getResourceAsStream(
            "/META-INF/spring-configuration-metadata.json")) {
      metadata = JsonMapper.builder().build().readTree(in);
    }
    assertThat(metadata.path("properties")).hasSizeGreaterThan(10);
    for (JsonNode property : metadata.path("properties")) {
      assertThat(property.path("name").stringValue()).startsWith("toolcrib.");
      assertThat(property.path("description").stringValue(""))
          .as(property.path("name").stringValue())
          .endsWith(".");
    }
  }
}
