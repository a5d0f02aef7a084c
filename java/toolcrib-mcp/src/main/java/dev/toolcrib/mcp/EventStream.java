package dev.toolcrib.mcp;

import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A response that is written message by message, as server-sent events. Nobody who sends waits for
 * the client: whoever told of a progress could otherwise be held up by one that reads slowly, and
 * with it all others that it serves.
 */
final class EventStream implements AsyncListener {

  /** Messages that wait for a client. What it is told beyond them is left out. */
  static final int MAX_WAITING = 256;

  private static final byte[] BEFORE = "event: message\ndata: ".getBytes(StandardCharsets.UTF_8);
  private static final byte[] BEHIND = "\n\n".getBytes(StandardCharsets.UTF_8);

  private final AsyncContext context;
  private final OutputStream out;
  private final Executor writers;
  private final ReentrantLock lock = new ReentrantLock();
  // All guarded by the lock.
  private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
  private boolean writing;
  private boolean ending;
  private boolean over;

  /**
   * Starts the response.
   *
   * @param writers where it is written, for as long as the client takes
   */
  EventStream(AsyncContext context, Executor writers) throws IOException {
    this.context = context;
    this.writers = writers;
    context.setTimeout(0);
    context.addListener(this);
    HttpServletResponse response = (HttpServletResponse) context.getResponse();
    response.setStatus(HttpServletResponse.SC_OK);
    response.setContentType("text/event-stream");
    response.setHeader("Cache-Control", "no-cache");
    // Proxies that gather what they pass on would keep it back.
    response.setHeader("X-Accel-Buffering", "no");
    out = response.getOutputStream();
    response.flushBuffer();
  }

  /** Sends a notification; none if the client is gone or far behind. */
  void send(JSONRPCNotification notification) {
    add(Json.bytes(notification), false);
  }

  /** Sends an answer, and ends when it is written. */
  void end(JSONRPCResponse answer) {
    add(McpToolServer.bytes(answer), true);
  }

  /** Ends when all is written that was sent. */
  void end() {
    add(null, true);
  }

  private void add(byte @Nullable [] message, boolean last) {
    lock.lock();
    try {
      if (over || ending || (!last && waiting.size() >= MAX_WAITING)) {
        return;
      }
      if (message != null) {
        waiting.add(message);
      }
      ending = last;
      if (writing) {
        return;
      }
      writing = true;
    } finally {
      lock.unlock();
    }
    try {
      writers.execute(this::write);
    } catch (RejectedExecutionException e) {
      complete();
    }
  }

  private void write() {
    try {
      for (byte[] message = next(); message != null; message = next()) {
        // Our JSON has no line feeds, so one data line holds it.
        ByteArrayOutputStream event = new ByteArrayOutputStream(message.length + 32);
        event.writeBytes(BEFORE);
        event.writeBytes(message);
        event.writeBytes(BEHIND);
        event.writeTo(out);
        out.flush();
      }
    } catch (IOException | IllegalStateException e) {
      // The client is gone.
      complete();
    }
  }

  /** What is written next; null if nothing is now. */
  private byte @Nullable [] next() {
    lock.lock();
    try {
      byte[] message = over ? null : waiting.poll();
      if (message != null) {
        return message;
      }
      writing = false;
      if (!ending) {
        return null;
      }
    } finally {
      lock.unlock();
    }
    complete();
    return null;
  }

  private void complete() {
    lock.lock();
    try {
      if (over) {
        return;
      }
      over = true;
      waiting.clear();
    } finally {
      lock.unlock();
    }
    try {
      context.complete();
    } catch (IllegalStateException e) {
      // The container completed it before us.
    }
  }

  @Override
  public void onComplete(AsyncEvent event) {
    complete();
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    complete();
  }

  @Override
  public void onError(AsyncEvent event) {
    complete();
  }

  @Override
  public void onStartAsync(AsyncEvent event) {}
}
