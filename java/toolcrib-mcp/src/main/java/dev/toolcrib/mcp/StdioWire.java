package dev.toolcrib.mcp;

import dev.toolcrib.Caller;
import dev.toolcrib.mcp.McpServerConfig.Stdio;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server that is a child process. It is told to end by the end of its input, half a second later
 * by a signal, and two seconds after that it is killed with all that it started.
 *
 * <p>The SDK's own transport is not used, since it hands on the environment of this process, ends
 * at the first line that is no message, and does not tell that the child has gone.
 */
final class StdioWire implements Wire {

  private static final Logger LOG = LoggerFactory.getLogger(StdioWire.class);

  private static final int SENT_AT_ONCE = 1_024;
  private static final int STDERR_CHARACTERS = 4_096;
  private static final int STACK_BYTES = 512 << 10;
  private static final long POLITE_MILLIS = 500;
  private static final long FIRM_MILLIS = 2_000;
  private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*\"([^\"]{1,64})\"");

  /** What a child may know of this process. */
  private static final List<String> INHERITED =
      List.of(
          "PATH",
          "HOME",
          "USER",
          "LOGNAME",
          "SHELL",
          "TERM",
          "LANG",
          "LC_ALL",
          "LC_CTYPE",
          "TZ",
          "TMPDIR",
          "APPDATA",
          "HOMEDRIVE",
          "HOMEPATH",
          "LOCALAPPDATA",
          "PATHEXT",
          "PROCESSOR_ARCHITECTURE",
          "SYSTEMDRIVE",
          "SYSTEMROOT",
          "TEMP",
          "TMP",
          "USERNAME",
          "USERPROFILE");

  private final String name;
  private final Stdio endpoint;
  private final Map<String, String> environment;
  private final McpJsonMapper json;
  private final int maxMessageBytes;
  private final LastLines lastLines = new LastLines(STDERR_CHARACTERS);
  private final BlockingQueue<byte[]> outgoing = new ArrayBlockingQueue<>(SENT_AT_ONCE);
  private final CompletableFuture<@Nullable Void> errorsRead = new CompletableFuture<>();
  private final AtomicBoolean over = new AtomicBoolean();
  private volatile @Nullable Process process;
  private long skipped;

  StdioWire(
      String name,
      Stdio endpoint,
      Map<String, String> environment,
      McpJsonMapper json,
      int maxMessageBytes) {
    this.name = name;
    this.endpoint = endpoint;
    this.environment = environment;
    this.json = json;
    this.maxMessageBytes = maxMessageBytes;
  }

  @Override
  public void open(Receiver receiver) {
    List<String> command = new ArrayList<>(List.of(endpoint.command()));
    command.addAll(endpoint.arguments());
    ProcessBuilder builder = new ProcessBuilder(command);
    Map<String, String> own = Map.copyOf(builder.environment());
    builder.environment().clear();
    INHERITED.stream()
        .filter(own::containsKey)
        .forEach(variable -> builder.environment().put(variable, own.getOrDefault(variable, "")));
    builder.environment().putAll(environment);
    if (endpoint.directory() != null) {
      builder.directory(endpoint.directory().toFile());
    }
    Process started;
    try {
      started = builder.start();
    } catch (IOException e) {
      throw new McpSetupException(
          "%s cannot be started: %s".formatted(endpoint.command(), e.getMessage()), e);
    }
    process = started;
    thread(
        "stderr",
        () -> {
          readErrors(started.getErrorStream());
          errorsRead.complete(null);
        });
    thread("out", () -> write(started.getOutputStream()));
    thread(
        "in",
        () -> {
          readMessages(started.getInputStream(), receiver);
          ended(started, receiver);
        });
    if (over.get()) {
      // Closed while the program was being started.
      var unused = close();
    }
  }

  @Override
  public CompletableFuture<@Nullable Void> send(JSONRPCMessage message, @Nullable Caller caller) {
    try {
      // The mapper escapes line feeds, so a message is one line.
      byte[] line = (json.writeValueAsString(message) + "\n").getBytes(StandardCharsets.UTF_8);
      return !over.get() && outgoing.offer(line)
          ? CompletableFuture.completedFuture(null)
          : CompletableFuture.failedFuture(
              new IOException(over.get() ? "the server has ended" : "the server reads nothing"));
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public String lastWords() {
    return lastLines.text();
  }

  @Override
  public CompletableFuture<@Nullable Void> close() {
    over.set(true);
    Process child = process;
    if (child == null) {
      return CompletableFuture.completedFuture(null);
    }
    endInput();
    List<ProcessHandle> started = new ArrayList<>();
    return within(child, POLITE_MILLIS)
        .thenCompose(
            gone -> {
              try (Stream<ProcessHandle> descendants = child.descendants()) {
                descendants.forEach(started::add);
              }
              child.destroy();
              started.forEach(ProcessHandle::destroy);
              return within(child, FIRM_MILLIS);
            })
        .thenAccept(
            gone -> {
              child.destroyForcibly();
              started.forEach(ProcessHandle::destroyForcibly);
            });
  }

  /** Wakes the writer, which closes the child's input: the sign to end that MCP knows. */
  private void endInput() {
    do {
      outgoing.clear();
    } while (!outgoing.offer(new byte[0]));
  }

  /** Completes when the child is gone, or at the end of the time. */
  private static CompletableFuture<Process> within(Process child, long millis) {
    return child.onExit().completeOnTimeout(child, millis, TimeUnit.MILLISECONDS);
  }

  private void readMessages(InputStream in, Receiver receiver) {
    MessageReader reader = new MessageReader(in, maxMessageBytes);
    try {
      for (MessageReader.Line line = reader.next(); line != null; line = reader.next()) {
        if (line.tooLong()) {
          tooLong(line.text(), receiver);
        } else if (!line.text().isBlank()) {
          receive(line.text(), receiver);
        }
      }
    } catch (IOException e) {
      LOG.debug("MCP server {}: its output cannot be read any more", name, e);
    }
  }

  private void receive(String line, Receiver receiver) {
    JSONRPCMessage message;
    try {
      message = McpSchema.deserializeJsonRpcMessage(json, line);
    } catch (IOException | RuntimeException | StackOverflowError e) {
      // Programs print all sorts of things; the protocol goes on.
      if (skipped++ == 0) {
        LOG.warn("MCP server {} prints lines that are no messages; they are skipped", name);
      }
      answerTo(line).ifPresent(id -> receiver.unusable(id, "the answer is no valid message"));
      return;
    }
    receiver.received(message);
  }

  private void tooLong(String ends, Receiver receiver) {
    LOG.warn("MCP server {} sent a message of more than {} bytes", name, maxMessageBytes);
    answerTo(ends)
        .ifPresent(
            id ->
                receiver.unusable(
                    id, "the answer is over the limit of %s bytes".formatted(maxMessageBytes)));
  }

  private static java.util.Optional<String> answerTo(String text) {
    Matcher id = ID.matcher(text);
    return id.find() ? java.util.Optional.of(id.group(1)) : java.util.Optional.empty();
  }

  private void readErrors(InputStream in) {
    MessageReader reader = new MessageReader(in, 16 << 10);
    try {
      for (MessageReader.Line line = reader.next(); line != null; line = reader.next()) {
        lastLines.add(line.text().stripTrailing());
        LOG.debug("MCP server {}: {}", name, line.text());
      }
    } catch (IOException e) {
      LOG.debug("MCP server {}: its errors cannot be read any more", name, e);
    }
  }

  private void write(OutputStream out) {
    try (out) {
      while (true) {
        byte[] line = outgoing.take();
        if (line.length == 0) {
          return;
        }
        out.write(line);
        if (outgoing.isEmpty()) {
          out.flush();
        }
      }
    } catch (IOException e) {
      LOG.debug("MCP server {} takes no more input", name, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void ended(Process child, Receiver receiver) {
    // Its output is closed; a child that still runs can be of no use.
    var unused =
        within(child, POLITE_MILLIS)
            .thenCompose(
                gone -> errorsRead.completeOnTimeout(null, POLITE_MILLIS, TimeUnit.MILLISECONDS))
            .thenAccept(
                read -> {
                  if (over.compareAndSet(false, true)) {
                    endInput();
                    String how =
                        child.isAlive() ? "closed its output" : "ended with " + child.exitValue();
                    child.destroyForcibly();
                    receiver.lost(new IOException(endpoint.command() + " " + how));
                  }
                });
  }

  private void thread(String purpose, Runnable work) {
    Thread thread = new Thread(null, work, "toolcrib-mcp-" + name + "-" + purpose, STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
  }
}
