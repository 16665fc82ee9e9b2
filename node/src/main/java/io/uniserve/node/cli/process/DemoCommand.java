package io.uniserve.node.cli.process;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.cli.option.Foreground;
import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.node.cluster.Plugins;
import io.uniserve.node.config.HostPort;
import io.uniserve.node.demo.Demo;
import io.uniserve.node.demo.OlapDemo;
import io.uniserve.node.demo.SqlDemo;
import io.uniserve.node.demo.TicketDemo;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.embedded.EmbeddedSettings;
import io.uniserve.node.http.HttpService;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.stream.StreamReading;
import io.uniserve.node.text.Figures;
import io.uniserve.node.text.Style;
import io.uniserve.runtime.wire.LoadSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that shows a cluster at work. */
@Command(
    name = "demo",
    description = {
      "Starts an embedded cluster, loads 36,273 films, queries them, stops a server under load, and"
          + " stays up.",
      "Exit status 1 if anything that it showed was wrong."
    })
public final class DemoCommand implements Callable<Integer> {
  /** Load of the demo with a hot slice: it is shown, and forgotten, within seconds. */
  private static final LoadSettings SOON =
      new LoadSettings(Duration.ofMillis(250), Duration.ofSeconds(3));

  private static final int SERVERS = 4;

  @Mixin private HelpOption help;

  @Option(
      names = "--sql",
      description =
          "Shows a SQL warehouse instead: TPC-H at scale factor 0.1, all 22 queries, checked.")
  private boolean sql;

  @Option(
      names = "--olap",
      description =
          "Shows OLAP instead: flights with a hot slice that gets more copies, 39,244 edits of Wikipedia, Druid's queries, checked, a server"
              + " stopped.")
  private boolean olap;

  @Option(
      names = "--tickets",
      description =
          "Shows shared scans instead: airline tickets under 2,000 queries and 1,000 updates a"
              + " second.")
  private boolean tickets;

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "With --tickets: how many tickets there are (default: ${DEFAULT-VALUE}).")
  private int records;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "2000",
      description =
          "With --tickets: queries a second, and half as many updates (default: ${DEFAULT-VALUE}).")
  private int rate;

  @Option(names = "--exit", description = "Ends after the tour instead of staying up.")
  private boolean exit;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "8080",
      description = "Where HTTP is served; 0 for any free port (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Where its data is kept (default: a temporary directory, deleted at the end).")
  private Path directory;

  @Override
  public Integer call() throws IOException {
    if (records < 1_000 || rate < 2) {
      throw UniserveException.invalid("--records must be at least 1000, --rate at least 2");
    }
    long started = System.nanoTime();
    if (Stream.of(sql, olap, tickets).filter(wanted -> wanted).count() > 1) {
      throw UniserveException.invalid("--sql, --olap and --tickets exclude each other");
    }
    HttpSettings settings = HttpSettings.onPort(HostPort.checkedPort(port));
    Plugins plugins = Plugins.load();
    try (Foreground foreground = new Foreground()) {
      Path data = directory == null ? temporary(foreground) : directory;
      EmbeddedCluster cluster =
          foreground.add(
              EmbeddedCluster.start(
                  new EmbeddedSettings(data, SERVERS, plugins.engines(), Optional.empty())
                      .with(olap ? SOON : LoadSettings.DEFAULT)));
      StreamReading streams =
          foreground.add(
              StreamReading.start(cluster::readStreams, Plugins.streamSources(), "this process"));
      HttpService http =
          foreground.add(new HttpService(cluster.client(), plugins.gateways(), settings, streams));
      Show show = show(cluster, http.port());
      List<String> problems = show.run().get();
      verdict(problems, Duration.ofNanos(System.nanoTime() - started));
      if (!exit) {
        show.farewell().run();
        foreground.await();
      }
      return problems.isEmpty() ? 0 : 1;
    }
  }

  /** Something to show, and what is said at its end. */
  private record Show(Supplier<List<String>> run, Runnable farewell) {}

  private Show show(EmbeddedCluster cluster, int httpPort) {
    Style style = Style.ofTerminal();
    if (sql) {
      SqlDemo demo = new SqlDemo(cluster.client(), httpPort, System.out, style);
      return new Show(demo::run, demo::sayFarewell);
    }
    if (olap) {
      OlapDemo demo = new OlapDemo(cluster, httpPort, System.out, style);
      return new Show(demo::run, demo::sayFarewell);
    }
    if (tickets) {
      TicketDemo demo = new TicketDemo(cluster, httpPort, records, rate, System.out, style);
      return new Show(demo::run, demo::sayFarewell);
    }
    Demo demo = new Demo(cluster, httpPort, System.out, style);
    return new Show(demo::run, demo::sayFarewell);
  }

  private static void verdict(List<String> problems, Duration took) {
    Style style = Style.ofTerminal();
    System.out.println();
    if (problems.isEmpty()) {
      System.out.println(
          style.good("Every answer was right.") + " The tour took " + Figures.duration(took) + ".");
    } else {
      System.out.println(style.bad("Wrong in this tour:"));
      problems.forEach(problem -> System.out.println("  " + problem));
    }
  }

  private static Path temporary(Foreground foreground) throws IOException {
    Path temporary = Files.createTempDirectory("uniserve-demo");
    foreground.add(() -> delete(temporary));
    return temporary;
  }

  private static void delete(Path directory) {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw UniserveException.of(e);
    }
  }
}
