package dev.toolcrib.mcp;

import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * Gives all transports one client. The SDK builds one for each of them, and a client of the JDK has
 * threads of its own that nothing ends but the garbage collector.
 */
final class SharedHttpClient implements HttpClient.Builder {

  private final HttpClient client;

  SharedHttpClient(Duration connectTimeout) {
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(connectTimeout)
            .build();
  }

  @Override
  public HttpClient build() {
    return client;
  }

  @Override
  public HttpClient.Builder connectTimeout(Duration duration) {
    return this;
  }

  @Override
  public HttpClient.Builder version(HttpClient.Version version) {
    return this;
  }

  @Override
  public HttpClient.Builder cookieHandler(CookieHandler cookieHandler) {
    throw new UnsupportedOperationException();
  }

  @Override
  public HttpClient.Builder sslContext(SSLContext sslContext) {
    throw new UnsupportedOperationException();
  }

  @Override
  public HttpClient.Builder sslParameters(SSLParameters sslParameters) {
    throw new UnsupportedOperationException();
  }

  @Override
  public HttpClient.Builder executor(Executor executor) {
    throw new UnsupportedOperationException();
  }

  @Override
  public HttpClient.Builder followRedirects(HttpClient.Redirect policy) {
    throw new UnsupportedOperationException();
  }

  @Override
  public HttpClient.Builder priority(int priority) {
    throw new UnsupportedOperationException();
  }

  @Override
  public HttpClient.Builder proxy(ProxySelector proxySelector) {
    throw new UnsupportedOperationException();
  }

  @Override
  public HttpClient.Builder authenticator(Authenticator authenticator) {
    throw new UnsupportedOperationException();
  }
}
