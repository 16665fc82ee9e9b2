package io.uniserve.node.cli.cluster;

import io.uniserve.node.cli.option.ClusterOption;
import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.node.text.Figures;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command that brings a table into the durable store at once. */
@Command(
    name = "backup",
    description =
        "Brings all of a table into the durable store now, with a checkpoint of every actor.")
public final class BackupCommand implements Callable<Integer> {
  @Mixin private HelpOption help;
  @Mixin private ClusterOption cluster;

  @Parameters(paramLabel = "TABLE", description = "The table.")
  private String table;

  @Override
  public Integer call() {
    try (RemoteCluster remote = cluster.connect()) {
      Map<String, Object> answer =
          remote.post("/api/tables/" + RemoteCluster.part(table) + "/backup", Map.of());
      int actors = new Settings("the answer", answer).object("positions").size();
      System.out.println("Table " + table + " backed up: " + Figures.plural(actors, "actor"));
    }
    return 0;
  }
}
