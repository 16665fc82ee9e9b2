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

/** The command that moves a copy of an actor. */
@Command(
    name = "move",
    description = "Moves a copy of an actor from one server to another; queries and updates go on.",
    footer = {"", "Example: uniserve move movies 3 --from s1 --to s4"})
public final class MoveCommand implements Callable<Integer> {
  @Mixin private HelpOption help;
  @Mixin private ClusterOption cluster;

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  private String table;

  @Parameters(index = "1", paramLabel = "ACTOR", description = "The actor's number.")
  private int actor;

  @Option(
      names = "--from",
      paramLabel = "SERVER",
      required = true,
      description = "Which holds a copy.")
  private String from;

  @Option(
      names = "--to",
      paramLabel = "SERVER",
      required = true,
      description = "Which is to hold it instead.")
  private String to;

  @Option(names = "--no-wait", description = "Returns once the move is recorded.")
  private boolean noWait;

  @Override
  public Integer call() {
    try (RemoteCluster remote = cluster.connect()) {
      remote.post(
          "/api/tables/" + RemoteCluster.part(table) + "/actors/" + actor + "/move",
          Map.of("from", from, "to", to));
      if (noWait) {
        System.out.println("Actor " + actor + " of " + table + " is to move to " + to);
        return 0;
      }
      return new Moves(remote, System.out).await(table, actor, to) ? 0 : 1;
    }
  }
}
