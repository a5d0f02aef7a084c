package dev.toolcrib.spring.boot.tool;

import com.github.victools.jsonschema.generator.FieldScope;
import com.github.victools.jsonschema.generator.Option;
import com.github.victools.jsonschema.generator.OptionPreset;
import com.github.victools.jsonschema.generator.SchemaGenerator;
import com.github.victools.jsonschema.generator.SchemaGeneratorConfigBuilder;
import com.github.victools.jsonschema.generator.SchemaVersion;
import com.github.victools.jsonschema.module.jackson.JacksonOption;
import com.github.victools.jsonschema.module.jackson.JacksonSchemaModule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.springframework.core.io.ResourceLoader;
import tools.jackson.databind.json.JsonMapper;

/** Schemas as text, from a resource, or of a class. */
final class ToolSchemas {

  private final ResourceLoader resources;
  private final SchemaGenerator generator;

  ToolSchemas(JsonMapper mapper, ResourceLoader resources) {
    this.resources = resources;
    SchemaGeneratorConfigBuilder config =
        new SchemaGeneratorConfigBuilder(
                mapper, SchemaVersion.DRAFT_2020_12, OptionPreset.PLAIN_JSON)
            .without(Option.SCHEMA_VERSION_INDICATOR)
            .with(Option.FORBIDDEN_ADDITIONAL_PROPERTIES_BY_DEFAULT)
            .with(Option.MAP_VALUES_AS_ADDITIONAL_PROPERTIES)
            .with(new JacksonSchemaModule(JacksonOption.FLATTENED_ENUMS_FROM_JSONVALUE));
    config
        .forFields()
        .withRequiredCheck(field -> !isOptional(field))
        // Models like to say null for what they leave out.
        .withNullableCheck(ToolSchemas::isOptional);
    generator = new SchemaGenerator(config.build());
  }

  String derive(Type type) {
    return generator.generateSchema(type).toString();
  }

  /** Text that is a schema itself, or what stands at the location that the text is. */
  String resolve(String textOrLocation) {
    if (textOrLocation.isEmpty() || textOrLocation.stripLeading().startsWith("{")) {
      return textOrLocation;
    }
    try {
      return resources.getResource(textOrLocation).getContentAsString(StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the schema " + textOrLocation, e);
    }
  }

  private static boolean isOptional(FieldScope field) {
    return field.getType().isInstanceOf(Optional.class)
        || isMarkedNullable(field.getRawMember())
        || isMarkedNullable(field.getRawMember().getAnnotatedType());
  }

  private static boolean isMarkedNullable(AnnotatedElement element) {
    return Arrays.stream(element.getAnnotations())
        .anyMatch(a -> a.annotationType().getSimpleName().equals("Nullable"));
  }
}
