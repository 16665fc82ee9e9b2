package io.uniserve.node.cli.process;

import io.uniserve.node.cli.option.Foreground;
import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.node.cli.option.HttpSecurityOptions;
import io.uniserve.node.cluster.Plugins;
import io.uniserve.node.config.HostPort;
import io.uniserve.node.config.HttpSecurity;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.embedded.EmbeddedSettings;
import io.uniserve.node.http.HttpService;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.rpc.RpcService;
import io.uniserve.node.stream.StreamReading;
import io.uniserve.node.text.Figures;
import io.uniserve.runtime.control.settings.PlacementSettings;
import io.uniserve.runtime.wire.cluster.ScalingSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that runs an embedded cluster. */
@Command(
    name = "start",
    description =
        "Runs a whole cluster in one process, in the foreground. Its data survives a restart.")
public final class StartCommand implements Callable<Integer> {
  private static final Duration SCALE_TIMEOUT = Duration.ofSeconds(30);

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
          "The interface that HTTP and Flight SQL are served on (default: ${DEFAULT-VALUE}). One"
              + " that others reach needs --certificate, --key and --tokens.")
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

  @Option(
      names = "--placement",
      paramLabel = "POLICY",
      defaultValue = "greedy",
      description =
          "What balances load: greedy, nlb, getafix, getafix+, podp, or one's own (default:"
              + " ${DEFAULT-VALUE}).")
  private String placement;

  @Option(
      names = "--placement-interval",
      paramLabel = "SECONDS",
      description = "How often load is balanced (default: on request only).")
  private Integer placementInterval;

  @Option(
      names = "--scale",
      paramLabel = "POLICY",
      description =
          "Lets the cluster follow its load, such as utilisation:0.3-0.7; see 'uniserve scale"
              + " --help'.")
  private String policy;

  @Option(
      names = "--min-servers",
      paramLabel = "N",
      description = "The fewest servers with --scale (default: those of --servers).")
  private Integer serversMin;

  @Option(
      names = "--max-servers",
      paramLabel = "N",
      defaultValue = "8",
      description = "The most servers with --scale (default: ${DEFAULT-VALUE}).")
  private int serversMax;

  @Mixin private HttpSecurityOptions security;

  @Override
  public Integer call() {
    HttpSecurity secured = security.security(host);
    HttpSettings settings = secured.settings(host, HostPort.checkedPort(port));
    Optional<Integer> flight = Optional.ofNullable(flightPort).map(HostPort::checkedPort);
    Plugins plugins = Plugins.load();
    try (Foreground foreground = new Foreground()) {
      EmbeddedCluster cluster =
          foreground.add(
              EmbeddedCluster.start(
                  new EmbeddedSettings(
                          directory, servers, plugins.engines(), Optional.ofNullable(store))
                      .with(balancing(), plugins.policies())
                      .withScalingPolicies(plugins.scalingPolicies())));
      scale(cluster);
      StreamReading streams =
          foreground.add(
              StreamReading.start(cluster::readStreams, Plugins.streamSources(), "this process"));
      HttpService http =
          foreground.add(new HttpService(cluster.client(), plugins.gateways(), settings, streams));
      System.out.println(
          "Cluster of "
              + Figures.plural(servers, "server")
              + " in "
              + directory
              + ", "
              + settings.url(http.port()));
      if (flight.isPresent()) {
        RpcService rpc =
            foreground.add(
                new RpcService(
                    http.guarded(),
                    plugins.rpcGateways(),
                    secured.rpcSettings(host, flight.get())));
        System.out.println("Flight SQL at " + rpc.url());
      }
      System.out.println("Stop it with Ctrl-C.");
      foreground.await();
    }
    return 0;
  }

  private PlacementSettings balancing() {
    return PlacementSettings.DEFAULT.with(
        placement, Optional.ofNullable(placementInterval).map(Duration::ofSeconds));
  }

  private void scale(EmbeddedCluster cluster) {
    if (policy != null) {
      int min = serversMin == null ? servers : serversMin;
      cluster
          .client()
          .admin()
          .scale(
              new ScalingSettings(min, serversMax, policy, ScalingSettings.INTERVAL, false),
              SCALE_TIMEOUT);
    }
  }
}
