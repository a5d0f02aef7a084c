package dev.toolcrib.mcp.oauth;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** Takes the body of an answer up to a number of bytes, and ends one that has more. */
final class LimitedBody implements BodySubscriber<byte[]> {

  private final int limit;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private @Nullable Subscription subscription;

  LimitedBody(int limit) {
    this.limit = limit;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Subscription given) {
    subscription = given;
    given.request(1);
  }

  @Override
  public void onNext(List<ByteBuffer> parts) {
    if (body.isDone() || subscription == null) {
      return;
    }
    for (ByteBuffer part : parts) {
      if (part.remaining() > limit - bytes.size()) {
        subscription.cancel();
        body.completeExceptionally(new IOException("more than " + limit + " bytes"));
        return;
      }
      byte[] copy = new byte[part.remaining()];
      part.get(copy);
      bytes.write(copy, 0, copy.length);
    }
    subscription.request(1);
  }

  @Override
  public void onError(Throwable failure) {
    body.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    body.complete(bytes.toByteArray());
  }
}
