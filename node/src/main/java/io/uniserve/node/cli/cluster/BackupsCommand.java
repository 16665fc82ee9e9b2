package io.uniserve.node.cli.cluster;

import io.uniserve.node.cli.option.ClusterOption;
import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.node.text.Columns;
import io.uniserve.node.text.Figures;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that lists what can be restored. */
@Command(
    name = "backups",
    description = "Lists the tables that the durable store knows, dropped ones included.")
public final class BackupsCommand implements Callable<Integer> {
  @Mixin private HelpOption help;
  @Mixin private ClusterOption cluster;

  @Option(names = "--json", description = "Shows everything, as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    try (RemoteCluster remote = cluster.connect()) {
      Map<String, Object> document = remote.get("/api/backups");
      if (json) {
        System.out.println(Json.pretty(document));
      } else {
        columns(new Settings("the answer", document)).lines().forEach(System.out::println);
      }
    }
    return 0;
  }

  private static Columns columns(Settings document) {
    Columns columns =
        new Columns()
            .row("TABLE", "CLUSTER/ID", "ENGINE", "ACTORS", "KEPT FOR", "SINCE", "DROPPED");
    for (Object table : document.list("tables")) {
      Map<String, Object> row = Settings.object("a table", table);
      columns.row(
          row.get("name"),
          row.get("cluster") + "/" + row.get("id"),
          row.get("engine"),
          row.get("actors"),
          row.get("retentionSeconds") instanceof Long kept
              ? Figures.duration(Duration.ofSeconds(kept))
              : "-",
          row.get("created"),
          row.getOrDefault("dropped", "-"));
    }
    return columns;
  }
}
