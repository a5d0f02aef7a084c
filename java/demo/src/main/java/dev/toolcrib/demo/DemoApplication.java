package dev.toolcrib.demo;

import dev.toolcrib.demo.domain.Domains;
import dev.toolcrib.demo.tour.GatewayTour;
import dev.toolcrib.demo.tour.Tour;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/** The service of 林隼工业 (Linsun Industrial), an invented maker of pumps and valves. */
@SpringBootApplication(proxyBeanMethods = false)
@Import(Domains.class)
public class DemoApplication {

  /**
   * Starts the service and plays the tour. With {@code --demo.once=true} it ends then, with status
   * 0 if every step did what it should.
   *
   * <p>With {@code --demo.mcp=FILE} it is a gateway before the MCP servers of that file instead.
   *
   * @param arguments files and folders of tools to load on top, and properties as {@code
   *     --name=value}
   * @throws IOException if a file cannot be read
   */
  public static void main(String[] arguments) throws IOException {
    ConfigurableApplicationContext service =
        SpringApplication.run(DemoApplication.class, arguments);
    List<Path> catalogues =
        Stream.of(arguments).filter(a -> !a.startsWith("--")).map(Path::of).toList();
    Tour tour = service.getBean(Tour.class);
    GatewayTour gateway = service.getBean(GatewayTour.class);
    List<Path> servers =
        Stream.of(service.getEnvironment().getProperty("demo.mcp", String[].class, new String[0]))
            .map(Path::of)
            .toList();
    int failures = servers.isEmpty() ? tour.play(catalogues) : gateway.play(servers);
    if (service.getEnvironment().getProperty("demo.once", Boolean.class, false)) {
      System.exit(SpringApplication.exit(service, () -> failures == 0 ? 0 : 1));
    }
    if (servers.isEmpty()) {
      tour.invite();
    } else {
      gateway.invite();
    }
  }
}
