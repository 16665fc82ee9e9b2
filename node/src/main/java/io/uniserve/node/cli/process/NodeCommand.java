package io.uniserve.node.cli.process;

import io.uniserve.node.cli.option.Foreground;
import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.node.cluster.NodeProcess;
import io.uniserve.node.cluster.Plugins;
import io.uniserve.node.config.NodeConfig;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that runs one process of a cluster. */
@Command(
    name = "node",
    description = "Runs one process of a cluster, in the foreground.",
    footer = {
      "",
      "The file has lines 'key = value':",
      "  roles = controller, server, gateway    one or more",
      "  controller = HOST:PORT, ...            where the controllers listen: 1, 3 or 5; every"
          + " process needs it",
      "  controller.listen = HOST:PORT          of a controller, where there are several; which of"
          + " them it is",
      "  controller.log = disk|memory           of a controller; where the control log is (default:"
          + " disk)",
      "  controller.timeout-millis = N          of a controller; silence after which another leads"
          + " (default: 500)",
      "  placement.policy = NAME            of a controller; balances load (default: greedy)",
      "  placement.interval-seconds = N     of a controller; how often (default: on request only)",
      "  placement.split-mebibytes = N      of a controller; larger actors are split (default:"
          + " 16384)",
      "  placement.split-threads = N        of a controller; so are busier ones (default: none)",
      "  scale.provider = process|kubernetes",
      "                                     of a controller; starts and ends servers, see 'uniserve"
          + " scale'",
      "  scale.template, .directory, .ports of process: a server's file with {name}, {number} and"
          + " {port};",
      "                                     where their files and logs are; ports, such as"
          + " 7101-7164",
      "  scale.statefulset, .namespace      of kubernetes: whose pods are the servers",
      "  directory = DIR                    where controllers and servers keep their data",
      "  server.name = NAME                 of a server; the same over restarts",
      "  server.listen = HOST:PORT          of a server; where all others reach it",
      "  server.workers = N                 of a server; threads that compute (default:"
          + " processors)",
      "  store = URI                        of a server; the durable store: file:/DIRECTORY or"
          + " s3://BUCKET/PREFIX",
      "  gateway.listen = HOST:PORT         of a gateway; where HTTP is served",
      "  gateway.flight = HOST:PORT         of a gateway; where Flight SQL is served (default:"
          + " nowhere)",
      "  tls.certificate, tls.key, tls.ca   PEM files: mutual TLS between processes",
      "  cluster.secret = FILE              a line that every process of the cluster knows",
      "  gateway.certificate, gateway.key   PEM files: HTTPS, Flight SQL (default: tls.certificate,"
          + " tls.key)",
      "  gateway.tokens = FILE              who may use HTTP and Flight SQL, see 'uniserve token'",
      "  insecure = true                    lets others use unsecured surfaces"
    })
public final class NodeCommand implements Callable<Integer> {
  @Mixin private HelpOption help;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      required = true,
      description = "What this process is.")
  private Path file;

  @Option(
      names = "--insecure",
      description =
          "Lets others use surfaces that the file does not secure, like 'insecure = true'.")
  private boolean insecure;

  @Override
  public Integer call() {
    NodeConfig read = NodeConfig.read(file);
    NodeConfig config = insecure ? read.insecure() : read;
    Plugins plugins = Plugins.load();
    try (Foreground foreground = new Foreground()) {
      NodeProcess process = foreground.add(NodeProcess.start(config, plugins));
      String roles =
          config.roles().stream()
              .map(role -> role.name().toLowerCase(Locale.ROOT))
              .collect(Collectors.joining(", "));
      System.out.println(
          "Running as "
              + roles
              + process.httpUrl().map(url -> ", " + url).orElse("")
              + process.flightUrl().map(url -> ", Flight SQL at " + url).orElse(""));
      foreground.await();
    }
    return 0;
  }
}
