package io.uniserve.node.cli.cluster;

import io.uniserve.node.cli.option.ClusterOption;
import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.node.remote.Moves;
import io.uniserve.node.remote.RemoteCluster;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that empties a server. */
@Command(
    name = "drain",
    description = {
      "Moves all copies of a server to others, and places no new ones on it.",
      "Ended early, the cluster goes on; 'undrain' ends it."
    })
public final class DrainCommand implements Callable<Integer> {
  @Mixin private HelpOption help;
  @Mixin private ClusterOption cluster;

  @Parameters(paramLabel = "SERVER", description = "The server's name.")
  private String server;

  @Option(names = "--no-wait", description = "Returns once it has begun.")
  private boolean noWait;

  @Override
  public Integer call() {
    try (RemoteCluster remote = cluster.connect()) {
      remote.post("/api/servers/" + RemoteCluster.part(server) + "/drain", Map.of());
      if (noWait) {
        System.out.println("Server " + server + " is drained");
      } else {
        new Moves(remote, System.out).awaitEmpty(server);
      }
    }
    return 0;
  }
}
