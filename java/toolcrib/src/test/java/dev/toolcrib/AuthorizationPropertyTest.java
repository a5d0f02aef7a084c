package dev.toolcrib;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a caller sees does not depend on tools that the caller may not use: over random catalogues,
 * rights and queries, a caller of a shared registry gets in every respect what the same caller gets
 * of a registry that holds nothing but the caller's own tools.
 */
class AuthorizationPropertyTest {

  private static final String[] WORDS = {
    "order", "invoice", "shipment", "employee", "ticket", "refund", "create", "cancel", "query",
    "list", "查询", "订单", "物流", "发票", "审批", "warehouse", "customer", "getOrderStatus"
  };
  private static final String[] TAGS = {"read", "write", "admin"};
  private static final String[] DOMAINS = {"sales", "logistics", "hr"};

  static List<Long> seeds() {
    List<Long> seeds = new ArrayList<>();
    for (long seed = 0; seed < 60; seed++) {
      seeds.add(seed);
    }
    return seeds;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void nobody_can_tell_that_anothers_tools_exist(long seed) {
    Random random = new Random(seed);
    List<Tool> tools = new ArrayList<>();
    for (int i = random.nextInt(60); i >= 0; i--) {
      tools.add(Tool.random(random, i));
    }
    ToolSelection rights = selection(random, 3, tools);
    try (ToolRegistry shared = registry(tools, rights)) {
      Set<String> own = Set.copyOf(names(shared));
      List<Tool> ownTools = tools.stream().filter(tool -> own.contains(tool.name())).toList();
      try (ToolRegistry alone = registry(ownTools, rights);
          ToolSession inShared = shared.session(Tools.ANN).id("s").open();
          ToolSession inAlone = alone.session(Tools.ANN).id("s").open()) {
        assertThat(names(alone)).isEqualTo(names(shared));
        assertThat(shared.list(Tools.ANN, null, 7)).isEqualTo(alone.list(Tools.ANN, null, 7));
        for (int query = 0; query < 8; query++) {
          // Texts, hits, exact scores, near names, sources: all of it.
          String text = query(random, tools);
          assertThat(inShared.search(text)).isEqualTo(inAlone.search(text));
        }
        for (Tool tool : tools) {
          CallRequest call = CallRequest.of(tool.name(), "{}").allowingInactive();
          assertThat(inShared.call(call).join()).isEqualTo(inAlone.call(call).join());
        }
        for (Target target : Target.values()) {
          assertThat(inShared.render(target).json()).isEqualTo(inAlone.render(target).json());
        }
        assertThat(inShared.state().tools()).isEqualTo(inAlone.state().tools());
        assertThat(inShared.state().journal()).isEqualTo(inAlone.state().journal());
        assertThat(inShared.state().authorized()).isEqualTo(inAlone.state().authorized());
        assertThat(inShared.snapshot()).isEqualTo(inAlone.snapshot());
      }
    }
  }

  private record Tool(
      String name,
      int source,
      String description,
      String domain,
      List<String> tags,
      Exposure exposure) {

    static Tool random(Random random, int number) {
      String name = word(random).replaceAll("[^A-Za-z]", "x") + "_" + number;
      return new Tool(
          name,
          random.nextInt(4),
          word(random) + " " + word(random) + " " + word(random),
          DOMAINS[random.nextInt(DOMAINS.length)],
          List.of(TAGS[random.nextInt(TAGS.length)]),
          random.nextInt(8) == 0 ? Exposure.DIRECT : Exposure.values()[1 + random.nextInt(3)]);
    }

    ToolDefinition definition() {
      return ToolDefinition.named(name)
          .description(description)
          .domain(domain)
          .tags(tags)
          .exposure(exposure)
          .build();
    }
  }

  private static ToolRegistry registry(List<Tool> tools, ToolSelection rights) {
    ToolRegistry registry = ToolRegistry.builder().authorizer(caller -> rights).build();
    for (int number = 0; number < 4; number++) {
      int of = number;
      List<Tool> ofSource = tools.stream().filter(tool -> tool.source == of).toList();
      if (ofSource.isEmpty()) {
        continue;
      }
      ToolSource.Builder source =
          ToolSource.named("source" + number)
              .naming(Naming.PLAIN)
              .executor(ToolExecutor.blocking(call -> ToolResult.text(call.tool().toString())));
      ofSource.forEach(tool -> source.tool(tool.definition()));
      registry.put(source.build());
    }
    return registry;
  }

  private static List<String> names(ToolRegistry registry) {
    List<String> names = new ArrayList<>();
    String cursor = null;
    do {
      ToolPage page = registry.list(Tools.ANN, cursor, 7);
      page.tools().forEach(entry -> names.add(entry.tool().name()));
      cursor = page.nextCursor();
    } while (cursor != null);
    return names;
  }

  private static ToolSelection selection(Random random, int depth, List<Tool> tools) {
    return switch (random.nextInt(depth > 0 ? 8 : 5)) {
      case 0 ->
          ToolSelection.names(
              tools.stream().filter(t -> random.nextBoolean()).map(Tool::name).toList());
      case 1 -> ToolSelection.sources("source" + random.nextInt(4), "source" + random.nextInt(4));
      case 2 -> ToolSelection.domains(DOMAINS[random.nextInt(DOMAINS.length)]);
      case 3 -> ToolSelection.tags(TAGS[random.nextInt(TAGS.length)]);
      case 4 -> ToolSelection.exposure(Exposure.values()[random.nextInt(4)]);
      case 5 -> selection(random, depth - 1, tools).and(selection(random, depth - 1, tools));
      case 6 -> selection(random, depth - 1, tools).or(selection(random, depth - 1, tools));
      default -> selection(random, depth - 1, tools).not();
    };
  }

  private static String query(Random random, List<Tool> tools) {
    return random.nextInt(3) == 0
        ? tools.get(random.nextInt(tools.size())).name().substring(1)
        : word(random) + " " + word(random);
  }

  private static String word(Random random) {
    return WORDS[random.nextInt(WORDS.length)];
  }
}
