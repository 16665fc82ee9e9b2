package io.uniserve.node.cli.cluster;

import io.uniserve.node.cli.option.ClusterOption;
import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.node.remote.RemoteCluster;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command that uses a drained server again. */
@Command(
    name = "undrain",
    description = "Uses a drained server again; copies that have moved away stay there.")
public final class UndrainCommand implements Callable<Integer> {
  @Mixin private HelpOption help;
  @Mixin private ClusterOption cluster;

  @Parameters(paramLabel = "SERVER", description = "The server's name.")
  private String server;

  @Override
  public Integer call() {
    try (RemoteCluster remote = cluster.connect()) {
      remote.delete("/api/servers/" + RemoteCluster.part(server) + "/drain");
    }
    System.out.println("Server " + server + " is used again");
    return 0;
  }
}
