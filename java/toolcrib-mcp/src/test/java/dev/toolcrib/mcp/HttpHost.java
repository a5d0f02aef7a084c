package dev.toolcrib.mcp;

import dev.toolcrib.Caller;
import io.modelcontextprotocol.common.McpTransportContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;

/** A servlet container on loopback that serves one MCP endpoint, {@code /mcp}. */
final class HttpHost implements AutoCloseable {

  private final Tomcat tomcat = new Tomcat();
  private final Path folder;

  HttpHost(HttpServlet servlet) throws Exception {
    folder = Files.createTempDirectory("tomcat");
    tomcat.setBaseDir(folder.toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    // The JDK's client may send the next request while the hundredth connection is being closed.
    tomcat.getConnector().setProperty("maxKeepAliveRequests", "-1");
    tomcat.setSilent(true);
    Context context = tomcat.addContext("", folder.toString());
    Tomcat.addServlet(context, "mcp", servlet).setAsyncSupported(true);
    context.addServletMappingDecoded("/mcp", "mcp");
    tomcat.start();
  }

  String url() {
    return "http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/mcp";
  }

  /** Callers by the header {@code X-User}, as tenant/user; tests only. */
  static McpTransportContext context(HttpServletRequest request) {
    String user = request.getHeader("X-User");
    return user == null
        ? McpTransportContext.EMPTY
        : McpTransportContext.create(Map.of("user", user));
  }

  static McpCallers callers() {
    return context ->
        context.get("user") instanceof String user
            ? Caller.of(user.split("/")[0], user.split("/")[1])
            : null;
  }

  @Override
  public void close() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }
}
