package io.uniserve.node.cli;

import io.uniserve.node.EmbeddedCluster;
import io.uniserve.node.EmbeddedSettings;
import io.uniserve.node.cluster.Plugins;
import io.uniserve.node.config.HttpSecurity;
import io.uniserve.node.http.HttpService;
import io.uniserve.node.http.HttpSettings;
import io.uniserve.node.rpc.RpcService;
import io.uniserve.node.text.Figures;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs an embedded cluster. */
@Command(
    name = "start",
    description =
        "Runs a whole cluster in one process, in the foreground. Its data survives a restart.")
final class StartCommand implements Callable<Integer> {
  @Mixin private HelpOption help;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      required = true,
      description = "Where its data is; created if need be.")
  private Path directory;

  @Option(
      names = "--servers",
      paramLabel = "N",
      defaultValue = "4",
      description = "How many servers (default: ${DEFAULT-VALUE}).")
  private int servers;

  @Option(
      names = "--http",
      paramLabel = "PORT",
      defaultValue = "8080",
      description = "Where HTTP is served; 0 for any free port (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--host",
      paramLabel = "HOST",
      defaultValue = "127.0.0.1",
      description =
          "The interface that HTTP and Flight SQL are served on (default: ${DEFAULT-VALUE}). One that others reach"
              + " needs --certificate, --key and --tokens.")
  private String host;

  @Option(
      names = "--flight",
      paramLabel = "PORT",
      description =
          "Serves Flight SQL, for JDBC and ADBC, there; 0 for any free port (default: not).")
  private Integer flightPort;

  @Option(
      names = "--store",
      paramLabel = "URI",
      description =
          "The durable store, file:/DIRECTORY or s3://BUCKET/PREFIX (default: DIR/store).")
  private String store;

  @Mixin private HttpSecurityOptions security;

  @Override
  public Integer call() {
    HttpSecurity secured = security.security(host);
    HttpSettings settings = secured.settings(host, port);
    Plugins plugins = Plugins.load();
    try (Foreground foreground = new Foreground()) {
      EmbeddedCluster cluster =
          foreground.add(
              EmbeddedCluster.start(
                  new EmbeddedSettings(
                      directory, servers, plugins.engines(), Optional.ofNullable(store))));
      HttpService http =
          foreground.add(new HttpService(cluster.client(), plugins.gateways(), settings));
      System.out.println(
          "Cluster of "
              + Figures.plural(servers, "server")
              + " in "
              + directory
              + ", "
              + settings.url(http.port()));
      if (flightPort != null) {
        RpcService flight =
            foreground.add(
                new RpcService(
                    http.guarded(), plugins.rpcGateways(), secured.rpcSettings(host, flightPort)));
        System.out.println("Flight SQL at " + flight.url());
      }
      System.out.println("Stop it with Ctrl-C.");
      foreground.await();
    }
    return 0;
  }
}
