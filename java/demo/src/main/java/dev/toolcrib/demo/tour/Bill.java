package dev.toolcrib.demo.tour;

import dev.toolcrib.RenderedTools;
import dev.toolcrib.demo.access.DemoUser;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** What it came to. */
final class Bill {

  /** The most memory that the demo may take, whatever is loaded. */
  private static final long MAX_RESIDENT = 1_536L << 20;

  private final Stage stage;
  private final Screen screen;
  private final Talk talk;

  Bill(Stage stage, Talk talk) {
    this.stage = stage;
    this.screen = stage.screen();
    this.talk = talk;
  }

  void play() {
    screen.section("算账", "The bill");
    Cost everything = Cost.ofEverything(stage.registry(), DemoUser.CHEN_WEI.caller(), tool -> {});
    RenderedTools declared = talk.render();
    long saved = everything.tokens() - declared.estimatedTokens();
    screen.table(
        List.of("陈薇's conversation", "tools", "bytes", "tokens (est.)"),
        List.of(
            row("registered", stage.registry().info().tools(), "-", "-"),
            row(
                "authorized",
                everything.tools(),
                Figures.bytes(everything.bytes()),
                Figures.count(everything.tokens())),
            row(
                "declared at the end",
                declared.toolNames().size(),
                Figures.bytes(declared.bytes().length),
                Figures.count(declared.estimatedTokens()))));
    screen.check(
        saved > everything.tokens() / 2,
        "about %s tokens (%d %%) saved in every request to the model"
            .formatted(Figures.count(saved), 100 * saved / everything.tokens()));
    Duration uptime = Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime());
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    OptionalLong resident = Figures.residentBytes();
    screen.remark(
        "process: %s since its start, %s heap used%s"
            .formatted(
                Figures.time(uptime),
                Figures.bytes(heap),
                resident.isPresent()
                    ? ", " + Figures.bytes(resident.getAsLong()) + " resident"
                    : ""));
    resident.ifPresent(
        bytes -> screen.check(bytes < MAX_RESIDENT, "the whole process stays below 1.5 GiB"));
  }

  private static List<String> row(String what, int tools, String bytes, String tokens) {
    return List.of(what, Figures.count(tools), bytes, tokens);
  }
}
