package dev.toolcrib.demo.tour;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class TourTest {

  @Autowired Tour tour;

  @Test
  void everyStepDoesWhatItShould(@TempDir Path folder) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("weather.jsonl"),
            """
            {"name":"forecast","description":"Weather forecast for a city","inputSchema":{"type":"object"},"server":"sky"}
            {"name":"query_tickets","description":"查询火车票的余票","inputSchema":{"type":"object"},"server":"rail"}
            """);
    assertThat(tour.play(List.of(file))).isZero();
  }
}
