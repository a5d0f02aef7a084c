package dev.toolcrib.mcp;

import dev.toolcrib.Caller;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a {@link McpToolServer} to the one client that started this program, over its standard
 * input and output. Nothing else may be written to the output then; let the log go elsewhere.
 */
public final class McpStdioServer {

  private static final Logger LOG = LoggerFactory.getLogger(McpStdioServer.class);
  private static final int MAX_MESSAGE_BYTES = 16 << 20;

  private final McpToolServer server;
  private final InputStream in;
  private final OutputStream out;
  private final ReentrantLock writing = new ReentrantLock();

  /**
   * Serves over streams.
   *
   * @param server what is served; its callers are asked with an empty context
   * @param in the client's messages, one a line
   * @param out where ours go
   */
  public McpStdioServer(McpToolServer server, InputStream in, OutputStream out) {
    this.server = server;
    this.in = in;
    this.out = out;
  }

  /**
   * Serves until the input ends.
   *
   * @throws IOException if the input cannot be read
   */
  public void serve() throws IOException {
    try (ClientSession client = new ClientSession("stdio", caller())) {
      client.listen(this::write, () -> {});
      MessageReader reader = new MessageReader(in, MAX_MESSAGE_BYTES);
      for (MessageReader.Line line = reader.next(); line != null; line = reader.next()) {
        if (line.tooLong()) {
          refuse(
              ErrorCodes.INVALID_REQUEST,
              "A message is over %s bytes.".formatted(MAX_MESSAGE_BYTES));
        } else if (!line.text().isBlank()) {
          receive(client, line.text());
        }
      }
    }
  }

  private void receive(ClientSession client, String line) {
    JSONRPCMessage message;
    try {
      message = McpSchema.deserializeJsonRpcMessage(Json.MCP, line);
    } catch (IOException e) {
      refuse(ErrorCodes.PARSE_ERROR, "A line is no JSON object.");
      return;
    } catch (RuntimeException e) {
      refuse(ErrorCodes.INVALID_REQUEST, "A line is no message of JSON-RPC.");
      return;
    }
    if (message instanceof JSONRPCRequest request) {
      var unused =
          server
              .answer(client, caller(), request, this::write)
              .thenAccept(answer -> write(McpToolServer.bytes(answer)));
    } else if (message instanceof JSONRPCNotification notification) {
      server.notified(client, notification);
    }
  }

  /** Who asks; nobody if that cannot be told. */
  private @Nullable Caller caller() {
    try {
      return server.callers().of(McpTransportContext.EMPTY);
    } catch (RuntimeException e) {
      LOG.warn("the caller of an MCP request cannot be told, so it is nobody's", e);
      return null;
    }
  }

  private void refuse(int code, String message) {
    Map<String, @Nullable Object> body = new LinkedHashMap<>();
    body.put("jsonrpc", "2.0");
    body.put("id", null);
    body.put("error", Map.of("code", code, "message", message));
    write(Json.bytes(body));
  }

  private void write(JSONRPCNotification message) {
    write(Json.bytes(message));
  }

  private void write(byte[] json) {
    writing.lock();
    try {
      out.write(json);
      out.write('\n');
      out.flush();
    } catch (IOException e) {
      LOG.debug("the client takes no more", e);
    } finally {
      writing.unlock();
    }
  }
}
