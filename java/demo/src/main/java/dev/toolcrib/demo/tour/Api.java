package dev.toolcrib.demo.tour;

import dev.toolcrib.demo.access.DemoUser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The demo's own HTTP endpoints, asked from outside as an agent runtime would. */
final class Api {

  private final HttpClient http = HttpClient.newHttpClient();
  private final String base;

  Api(String base) {
    this.base = base;
  }

  /**
   * An answer.
   *
   * @param status the HTTP status
   * @param body the JSON; missing if there is none
   */
  record Answer(int status, JsonNode body) {}

  String base() {
    return base;
  }

  Answer post(@Nullable DemoUser user, String path, String json)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json));
    if (user != null) {
      byte[] login = (user.login() + ":" + user.password()).getBytes(StandardCharsets.UTF_8);
      request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(login));
    }
    HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
    String body = response.body();
    return new Answer(
        response.statusCode(), JsonMapper.shared().readTree(body.isBlank() ? "null" : body));
  }
}
