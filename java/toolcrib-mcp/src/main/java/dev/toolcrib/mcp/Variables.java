package dev.toolcrib.mcp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Expands values of {@code env} and {@code headers} when they are needed: {@code $NAME} and <code>
 * ${NAME}</code> anywhere, {@code $$} for a dollar sign, {@code $!} for an exclamation mark, and,
 * only if that is switched on, a shell command after a leading exclamation mark. No message holds a
 * value.
 */
final class Variables {

  private static final Pattern REFERENCE =
      Pattern.compile("\\$(?:(\\$)|(!)|\\{([A-Za-z_][A-Za-z0-9_]*)}|([A-Za-z_][A-Za-z0-9_]*))");
  private static final int COMMAND_SECONDS = 10;
  private static final int COMMAND_BYTES = 64 << 10;

  private final Function<String, @Nullable String> lookup;
  private final boolean commands;

  Variables(Function<String, @Nullable String> lookup, boolean commands) {
    this.lookup = lookup;
    this.commands = commands;
  }

  /**
   * Expands all values.
   *
   * @param key what the map is called in messages
   * @throws McpSetupException if one cannot be expanded
   */
  Map<String, String> expand(String key, Map<String, String> values) {
    Map<String, String> expanded = new LinkedHashMap<>();
    values.forEach((name, value) -> expanded.put(name, expand(key + "." + name, value)));
    return expanded;
  }

  private String expand(String key, String value) {
    if (value.startsWith("!")) {
      if (!commands) {
        throw new McpSetupException(key + " is a command, and commands are not switched on");
      }
      return output(key, value.substring(1));
    }
    Matcher matcher = REFERENCE.matcher(value);
    return matcher.replaceAll(match -> Matcher.quoteReplacement(replacement(key, matcher)));
  }

  private String replacement(String key, Matcher match) {
    if (match.group(1) != null) {
      return "$";
    }
    if (match.group(2) != null) {
      return "!";
    }
    String name = match.group(3) != null ? match.group(3) : match.group(4);
    String value = lookup.apply(name);
    if (value == null || value.isEmpty()) {
      throw new McpSetupException(
          "%s needs the variable %s, which is not set".formatted(key, name));
    }
    return value;
  }

  private static String output(String key, String command) {
    Process process = null;
    try {
      process =
          new ProcessBuilder("/bin/sh", "-c", command)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      process.getOutputStream().close();
      InputStream said = process.getInputStream();
      var reading = new FutureTask<>(() -> said.readNBytes(COMMAND_BYTES));
      // On a thread of its own: what the command leaves behind may hold the pipe open for ever.
      Thread reader = new Thread(reading, "toolcrib-mcp-command");
      reader.setDaemon(true);
      reader.start();
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(COMMAND_SECONDS);
      byte[] output = reading.get(COMMAND_SECONDS, TimeUnit.SECONDS);
      if (!process.waitFor(until - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        throw new TimeoutException("it is still running");
      }
      if (process.exitValue() != 0) {
        throw new McpSetupException(
            "the command of %s ended with %s".formatted(key, process.exitValue()));
      }
      return new String(output, StandardCharsets.UTF_8).strip();
    } catch (IOException | ExecutionException | TimeoutException e) {
      throw new McpSetupException(
          "the command of %s did not end well within %s s".formatted(key, COMMAND_SECONDS), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new McpSetupException("the command of %s was interrupted".formatted(key), e);
    } finally {
      if (process != null) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    }
  }
}
