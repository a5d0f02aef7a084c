package dev.toolcrib.demo.tour;

import dev.toolcrib.SourceInfo;
import dev.toolcrib.ToolAuthorizer;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolSession;
import dev.toolcrib.ToolSource;
import dev.toolcrib.Toolcrib;
import dev.toolcrib.demo.access.BusinessConfiguration;
import dev.toolcrib.demo.access.DemoUser;
import dev.toolcrib.demo.catalogue.CatalogueLoader;
import dev.toolcrib.demo.catalogue.CatalogueLoader.Loaded;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Plays the conversation and prints it. */
@Component
public final class Tour {

  private final ToolRegistry registry;
  private final BusinessConfiguration configuration;
  private final Environment environment;
  private final List<ToolSource> sources;
  private final ToolAuthorizer chain;

  Tour(
      ToolRegistry registry,
      BusinessConfiguration configuration,
      Environment environment,
      ObjectProvider<ToolSource> sources,
      ObjectProvider<ToolAuthorizer> authorizers) {
    this.registry = registry;
    this.configuration = configuration;
    this.environment = environment;
    this.sources = sources.stream().toList();
    this.chain = ToolAuthorizer.allOf(authorizers.orderedStream().toArray(ToolAuthorizer[]::new));
  }

  /**
   * Plays all scenes.
   *
   * @param catalogues files and folders with more tools
   * @return how much was not as it should be
   * @throws IOException if a catalogue cannot be read
   */
  public int play(List<Path> catalogues) throws IOException {
    Screen screen = Screen.standard(environment.getProperty("demo.colour", Boolean.class, false));
    Stage stage = new Stage(screen, registry, configuration, new Api(url()));
    screen.banner(
        "林隼工业 · Linsun Industrial — a service with more tools than a model can read",
        "Toolcrib %s, Java %s. The company, its people and its passwords are invented; this is a demo."
            .formatted(Toolcrib.version().version(), Runtime.version().feature()));
    List<SourceInfo> own = registry.sources();
    Loaded loaded = new CatalogueLoader(registry).load(catalogues);
    try (ToolRegistry otherNode = otherNode();
        ToolSession session = registry.session(DemoUser.CHEN_WEI.caller()).id("tour").open()) {
      Talk talk = new Talk(session, screen);
      Lists lists = new Lists(stage, own);
      Conversation conversation = new Conversation(stage, talk, otherNode);
      Rights rights = new Rights(stage, talk);
      List<Scene> scenes =
          List.of(
              lists::registered,
              lists::everybody,
              lists::overHttp,
              conversation::start,
              conversation::askInChinese,
              conversation::mend,
              conversation::askInEnglish,
              conversation::rewind,
              rights::limited,
              rights::withdrawn,
              new Scripts(stage)::play,
              new OtherTenant(stage)::overHttp,
              () -> loadedFiles(stage, loaded),
              new Bill(stage, talk)::play);
      scenes.forEach(scene -> play(scene, screen));
    }
    screen.line("");
    screen.line(
        screen.failures() == 0
            ? screen.ink(Screen.Ink.GREEN, "%d of %1$d checks hold.".formatted(screen.checks()))
            : screen.ink(
                Screen.Ink.RED,
                "%d of %d checks do not hold.".formatted(screen.failures(), screen.checks())));
    return screen.failures();
  }

  /** Says how to go on by hand. */
  public void invite() {
    Screen screen = Screen.standard(environment.getProperty("demo.colour", Boolean.class, false));
    screen.section("自己试试", "Try it yourself");
    String post = "curl -s -u %s:demo -H 'Content-Type: application/json' " + url();
    screen.line(
        "The service keeps running at "
            + url()
            + " — stop it with Ctrl-C. Users are those above, the password is demo.");
    screen.line("");
    screen.line(post.formatted("chen.wei") + "/tools/list -d '{\"limit\":3}'");
    screen.line(
        post.formatted("chen.wei")
            + "/tools/search -d '{\"query\":\"退货\",\"conversationId\":\"c-2\"}'");
    screen.line(
        post.formatted("anna.devries")
            + "/tools/call -d '{\"name\":\"invoice_aging\",\"arguments\":{}}'");
    screen.line(
        post.formatted("chen.wei")
            + "/tools/script -d '{\"code\":\"return (await tools.order_find({limit:"
            + " 2})).structuredContent\"}'");
    screen.line(
        "curl -s -u chen.wei:demo -X PUT " + url() + "/demo/frozen/orders     # DELETE thaws");
    screen.line("curl -s " + url() + "/actuator/health");
    screen.line("");
  }

  private void loadedFiles(Stage stage, Loaded loaded) {
    if (loaded.files() > 0) {
      new LoadedFiles(stage, loaded, environment.getProperty("demo.ask")).play();
    }
  }

  private static void play(Scene scene, Screen screen) {
    try {
      scene.play();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      screen.broken(e);
    } catch (Exception e) {
      screen.broken(e);
    }
  }

  /** The same tools and rights once more, as another instance of the service has them. */
  private ToolRegistry otherNode() {
    ToolRegistry other = ToolRegistry.builder().authorizer(chain).build();
    sources.forEach(other::put);
    return other;
  }

  private String url() {
    return "http://localhost:" + environment.getProperty("local.server.port", "8080");
  }
}
