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
class GatewayTourTest {

  /** A server with one tool, as short as it can be. */
  private static final String SERVER =
      """
      import java.io.*;
      import java.util.regex.*;

      public class Server {
        public static void main(String[] arguments) throws Exception {
          BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
          for (String line = in.readLine(); line != null; line = in.readLine()) {
            Matcher id = Pattern.compile("\\"id\\":(\\"[^\\"]+\\")").matcher(line);
            if (id.find()) {
              String result =
                  line.contains("\\"initialize\\"")
                      ? "{\\"protocolVersion\\":\\"2025-06-18\\",\\"capabilities\\":{\\"tools\\":{}},"
                          + "\\"serverInfo\\":{\\"name\\":\\"moon\\",\\"version\\":\\"1\\"}}"
                      : line.contains("tools/list")
                          ? "{\\"tools\\":[{\\"name\\":\\"moon_phase\\",\\"description\\":"
                              + "\\"Tells the phase of the moon\\",\\"inputSchema\\":{\\"type\\":\\"object\\"},"
                              + "\\"annotations\\":{\\"readOnlyHint\\":true}}]}"
                          : "{\\"content\\":[{\\"type\\":\\"text\\",\\"text\\":\\"waning\\"}]}";
              System.out.println("{\\"jsonrpc\\":\\"2.0\\",\\"id\\":" + id.group(1) + ",\\"result\\":" + result + "}");
            }
          }
        }
      }
      """;

  @Autowired GatewayTour gateway;

  @Test
  void serversConnectAreSearchedAndCalled(@TempDir Path folder) throws Exception {
    Path server = Files.writeString(folder.resolve("Server.java"), SERVER);
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Path config =
        Files.writeString(
            folder.resolve("mcp.json"),
            """
            {"mcpServers": {
              "moon": {"command": "%s", "args": ["%s"]},
              "gone": {"command": "no-such-command-at-all"}}}
            """
                .formatted(java, server));
    assertThat(gateway.play(List.of(config))).isZero();
  }
}
