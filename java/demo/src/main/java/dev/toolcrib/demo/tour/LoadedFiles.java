package dev.toolcrib.demo.tour;

import dev.toolcrib.SearchHit;
import dev.toolcrib.SearchOutcome;
import dev.toolcrib.ToolSession;
import dev.toolcrib.demo.access.DemoUser;
import dev.toolcrib.demo.access.Role;
import dev.toolcrib.demo.catalogue.CatalogueLoader.Loaded;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tools from files: what came of them, and that they are found. */
final class LoadedFiles {

  private static final DemoUser USER = DemoUser.JONAS;

  private final Stage stage;
  private final Screen screen;
  private final Loaded loaded;
  private final @Nullable String ask;

  LoadedFiles(Stage stage, Loaded loaded, @Nullable String ask) {
    this.stage = stage;
    this.screen = stage.screen();
    this.loaded = loaded;
    this.ask = ask;
  }

  void play() {
    screen.section("外部目录", "Tools from files");
    screen.says(
        "loaded",
        "%s tools of %s sources from %d files in %s"
            .formatted(
                Figures.count(loaded.published()),
                Figures.count(loaded.sources()),
                loaded.files(),
                Figures.time(loaded.took())));
    loaded
        .refused()
        .forEach(
            (reason, count) ->
                screen.aside("left out: %s × %s".formatted(Figures.count(count), reason)));
    screen.check(loaded.published() > 0, "the catalogue is published while the service runs");

    List<Questions> languages = List.of(Questions.inChinese(), Questions.inEnglish());
    long start = System.nanoTime();
    Cost all =
        Cost.ofEverything(
            stage.registry(),
            USER.caller(),
            entry -> {
              if (entry.tool().tags().contains(Role.EXTERNAL_TAG)) {
                languages.forEach(questions -> questions.see(entry.tool()));
              }
            });
    screen.says(
        USER.firstName(),
        "may use %s tools; declaring them all would take %s, about %s tokens"
            .formatted(
                Figures.count(all.tools()),
                Figures.bytes(all.bytes()),
                Figures.count(all.tokens())));
    screen.aside(
        "(rendered all of them to know: %s)".formatted(Figures.time(Figures.since(start))));
    for (Questions questions : languages) {
      questions.question().ifPresent(this::search);
    }
    if (ask != null && !ask.isBlank()) {
      try (ToolSession session = stage.registry().session(USER.caller()).open()) {
        new Talk(session, screen).search(ask, "asked");
      }
    }
  }

  private void search(Questions.Question question) {
    try (ToolSession session = stage.registry().session(USER.caller()).open()) {
      Talk talk = new Talk(session, screen);
      SearchOutcome outcome = talk.search(question.text(), "turn-1");
      talk.render();
      Optional<SearchHit> first = outcome.hits().stream().findFirst();
      screen.check(
          first.isPresent() && question.answer().matcher(Questions.text(first.get().tool())).find(),
          "the first hit is a sensible one: " + first.map(hit -> hit.tool().name()).orElse("none"));
    }
  }
}
