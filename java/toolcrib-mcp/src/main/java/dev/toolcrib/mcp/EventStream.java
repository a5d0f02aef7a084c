package dev.toolcrib.mcp;

import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;

/** A response that is written message by message, as server-sent events. */
final class EventStream implements AsyncListener {

  private final AsyncContext context;
  private final OutputStream out;
  private final Runnable whenOver;
  private final ReentrantLock lock = new ReentrantLock();
  // Guarded by the lock.
  private boolean over;

  /**
   * Starts the response.
   *
   * @param whenOver run once when the client is gone or the stream was ended
   */
  EventStream(AsyncContext context, Runnable whenOver) throws IOException {
    this.context = context;
    this.whenOver = whenOver;
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

  /** Sends a message; if the client is gone, nothing. */
  void send(JSONRPCMessage message) {
    // Our JSON has no line feeds, so one data line holds it.
    byte[] event =
        ("event: message\ndata: " + Json.text(message) + "\n\n").getBytes(StandardCharsets.UTF_8);
    lock.lock();
    try {
      if (over) {
        return;
      }
      out.write(event);
      out.flush();
      return;
    } catch (IOException | IllegalStateException e) {
      // Falls through to the end: the client is gone.
    } finally {
      lock.unlock();
    }
    end();
  }

  void end() {
    lock.lock();
    try {
      if (over) {
        return;
      }
      over = true;
    } finally {
      lock.unlock();
    }
    try {
      context.complete();
    } catch (IllegalStateException e) {
      // The container completed it before us.
    }
    whenOver.run();
  }

  @Override
  public void onComplete(AsyncEvent event) {
    end();
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    end();
  }

  @Override
  public void onError(AsyncEvent event) {
    end();
  }

  @Override
  public void onStartAsync(AsyncEvent event) {}
}
