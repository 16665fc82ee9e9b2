package io.uniserve.bench.elasticity;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.bench.option.RunOptions;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.embedded.EmbeddedSettings;
import io.uniserve.runtime.client.ClusterView;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.LoadSettings;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ScalingSettings;
import io.uniserve.testkit.load.TimedEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench elasticity}. */
@Command(
    name = "elasticity",
    mixinStandardHelpOptions = true,
    description =
        "A load from 240 to 1,300 queries a minute and back, and the servers that follow it; ends"
            + " with 1 if a query fails or answers fall behind.")
public final class ElasticityCommand implements Callable<Integer> {
  private static final String TABLE = "timed";
  private static final int ACTORS = 16;
  private static final int SERVERS_MAX = 8;
  private static final double LEAST_PER_MINUTE = 240;
  private static final double MOST_PER_MINUTE = 1_300;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  @Mixin private RunOptions run = new RunOptions();

  @Option(
      names = "--seconds",
      description = "How long the load takes to rise and fall. Default: ${DEFAULT-VALUE}.")
  private int seconds = 480;

  @Option(
      names = "--service-millis",
      description = "Of a server's only worker for each of 16 actors. Default: ${DEFAULT-VALUE}.")
  private int serviceMillis = 10;

  @Override
  public Integer call() {
    Path directory = run.newDirectory("elasticity");
    LoadShape shape = new LoadShape(LEAST_PER_MINUTE, MOST_PER_MINUTE, run.quick() ? 48 : seconds);
    ElasticityReport report = run(directory, shape);
    run.publish("elasticity", report.toString());
    report.sent().stream()
        .map(Sent::failure)
        .filter(failure -> !failure.isEmpty())
        .distinct()
        .limit(5)
        .forEach(System.err::println);
    return report.failed() == 0 && report.keptUp() ? 0 : 1;
  }

  private ElasticityReport run(Path directory, LoadShape shape) {
    EmbeddedSettings settings =
        new EmbeddedSettings(directory, 1, List.of(new TimedEngine()), Optional.empty())
            .withWorkers(1)
            .with(new LoadSettings(Duration.ofMillis(250), Duration.ofSeconds(1)));
    try (EmbeddedCluster cluster = EmbeddedCluster.start(settings)) {
      UniserveClient client = cluster.client();
      client.createTable(
          new TableDefinition(
              TABLE, TimedEngine.NAME, new Partitioner.Hash(ACTORS), 1, Durability.NONE, Map.of()),
          TIMEOUT);
      client
          .admin()
          .scale(
              new ScalingSettings(1, SERVERS_MAX, policy(shape), Duration.ofMillis(250), false),
              TIMEOUT);
      TimedEngine.Serve serve = new TimedEngine.Serve(serviceMillis);
      OpenLoop loop =
          new OpenLoop(shape, () -> client.query(serve.plan(TABLE), QueryOptions.DEFAULT), ACTORS);
      ConcurrentSkipListMap<Double, Integer> servers = new ConcurrentSkipListMap<>();
      servers.put(0.0, serving(client.state()));
      List<Sent> sent;
      try (ClusterView.Subscription _ =
          client.view().onChange((state, record) -> servers.put(loop.second(), serving(state)))) {
        sent = loop.run();
      }
      return new ElasticityReport(shape, sent, new TreeMap<>(servers), conditions(shape));
    }
  }

  /** Returns the number of servers that have a readable copy. */
  private static int serving(ClusterState state) {
    return (int)
        state.tables().values().stream()
            .flatMap(table -> table.actors().stream())
            .flatMap(actor -> actor.copies().stream())
            .filter(copy -> copy.isRead() && state.alive(copy.server()))
            .map(copy -> copy.server())
            .distinct()
            .count();
  }

  /** Returns the policy's configuration, with its times compressed as much as the load's. */
  private static String policy(LoadShape shape) {
    double millis = shape.seconds() * 1e3;
    return "utilisation:0.3-0.7,grow-after=%dms,shrink-after=%dms,cool-down=%dms"
        .formatted(
            Math.round(Math.max(1_000, millis / 240)),
            Math.round(Math.max(2_000, millis / 48)),
            Math.round(Math.max(1_000, millis / 120)));
  }

  private String conditions(LoadShape shape) {
    return ("one process, servers of one worker each; a table of %d actors, one copy, each of which"
            + " takes a query %d ms of a worker and no processor; every query asks all of them."
            + " Queries are sent at even distances whether or not those before are answered,"
            + " and timed from when they were to be sent. `%s`, asked every 250 ms, load over 1"
            + " s, %d servers at most")
        .formatted(ACTORS, serviceMillis, policy(shape), SERVERS_MAX);
  }
}
