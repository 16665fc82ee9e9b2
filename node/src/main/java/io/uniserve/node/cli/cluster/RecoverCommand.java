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
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that recovers a table whose actors have no complete copies, accepting the loss. */
@Command(
    name = "recover",
    description = {
      "Goes on with a table whose actors wait for complete copies that do not come back.",
      "",
      "As long as the disk of a server that had one can be brought back, start that server instead:"
          + " then nothing is lost.",
      "Lost actors of an eventual table are loaded from the durable store, with the updates stored"
          + " there before the loss.",
      "A table of another level is loaded from there as a whole, as of one moment; without a"
          + " durable store it begins anew, empty."
    })
public final class RecoverCommand implements Callable<Integer> {
  private static final String TIMEOUT = "?timeoutMillis=600000";

  @Mixin private HelpOption help;
  @Mixin private ClusterOption cluster;

  @Parameters(paramLabel = "TABLE", description = "The table.")
  private String table;

  @Option(
      names = "--accept-loss",
      required = true,
      description = "Accepts that data without a complete copy is lost.")
  private boolean acceptLoss;

  @Override
  public Integer call() {
    try (RemoteCluster remote = cluster.connect()) {
      Settings answer =
          new Settings(
              "the answer",
              remote.post(
                  "/api/tables/" + RemoteCluster.part(table) + "/recover" + TIMEOUT,
                  Map.of("acceptLoss", acceptLoss)));
      System.out.println(
          "Table "
              + answer.text("name", "")
              + " recovered: "
              + Figures.plural(answer.integer("actors", 0), "actor")
              + "; 'uniserve status' shows what was lost");
    }
    return 0;
  }
}
