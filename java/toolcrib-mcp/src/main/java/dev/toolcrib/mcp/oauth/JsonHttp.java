package dev.toolcrib.mcp.oauth;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks for JSON: at most {@value #MAX_BYTES} bytes of it, within 10 seconds in all, and over no
 * redirect. Blocks.
 */
final class JsonHttp {

  static final int MAX_BYTES = 256 << 10;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final HttpClient client;
  private final Duration timeout;

  JsonHttp(Duration timeout) {
    this.timeout = timeout;
    client =
        HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(timeout)
            .build();
  }

  /**
   * An answer.
   *
   * @param json its body, an empty object if that is no JSON object
   */
  record Answer(int status, JsonNode json) {
    @Nullable String text(String key) {
      JsonNode value = json.path(key);
      return value.isString() && !value.stringValue().isEmpty() ? value.stringValue() : null;
    }
  }

  /** The metadata there, or null if there are none. */
  @Nullable Answer metadata(URI address) {
    Answer answer = send(HttpRequest.newBuilder(address).GET(), address);
    if (answer.status() == 200) {
      return answer;
    }
    // Where everything is behind a login, what is not there is often 401 or 403.
    if (answer.status() / 100 == 4) {
      return null;
    }
    throw new OAuthException(
        "%s answered %s%s"
            .formatted(
                address,
                answer.status(),
                answer.status() / 100 == 3 ? "; redirects are not followed" : ""));
  }

  Answer form(URI address, Map<String, String> fields, @Nullable String authorization) {
    String body =
        fields.entrySet().stream()
            .map(field -> encode(field.getKey()) + "=" + encode(field.getValue()))
            .collect(Collectors.joining("&"));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(body));
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    return send(request, address);
  }

  Answer json(URI address, Object body) {
    return send(
        HttpRequest.newBuilder(address)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body))),
        address);
  }

  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private Answer send(HttpRequest.Builder request, URI address) {
    CompletableFuture<HttpResponse<byte[]>> sent =
        client.sendAsync(
            request.header("Accept", "application/json").timeout(timeout).build(),
            info -> new LimitedBody(MAX_BYTES));
    try {
      HttpResponse<byte[]> response = sent.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      return new Answer(response.statusCode(), parse(response.body()));
    } catch (TimeoutException e) {
      throw new OAuthException("%s did not answer in time".formatted(address));
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new OAuthException(
          "%s cannot be asked: %s"
              .formatted(
                  address,
                  cause.getMessage() == null
                      ? cause.getClass().getSimpleName()
                      : cause.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new OAuthException("%s was not asked: interrupted".formatted(address));
    } finally {
      // One that takes too long is given up, not left running.
      sent.cancel(true);
    }
  }

  private static JsonNode parse(byte[] body) {
    try {
      JsonNode json = JSON.readTree(body);
      return json.isObject() ? json : JSON.createObjectNode();
    } catch (JacksonException e) {
      return JSON.createObjectNode();
    }
  }
}
