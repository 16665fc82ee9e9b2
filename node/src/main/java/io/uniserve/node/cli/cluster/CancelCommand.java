package io.uniserve.node.cli.cluster;

import io.uniserve.node.cli.option.ClusterOption;
import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.node.remote.RemoteCluster;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command that cancels a move. */
@Command(name = "cancel", description = "Cancels the move of an actor, which stays where it is.")
public final class CancelCommand implements Callable<Integer> {
  @Mixin private HelpOption help;
  @Mixin private ClusterOption cluster;

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  private String table;

  @Parameters(index = "1", paramLabel = "ACTOR", description = "The actor's number.")
  private int actor;

  @Override
  public Integer call() {
    try (RemoteCluster remote = cluster.connect()) {
      remote.delete("/api/tables/" + RemoteCluster.part(table) + "/actors/" + actor + "/move");
    }
    System.out.println("Actor " + actor + " of " + table + " stays where it is");
    return 0;
  }
}
