package io.uniserve.node.cli.cluster;

import io.uniserve.node.cli.option.ClusterOption;
import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.node.text.Figures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that restores tables from the durable store. */
@Command(
    name = "restore",
    description = "Makes new tables from the durable store, as of one moment for all.",
    footer = {
      "",
      "Example: uniserve restore movies --to 2026-03-01T12:00:00Z --as movies-then",
      "Without --to, everything that the store has is restored."
    })
public final class RestoreCommand implements Callable<Integer> {
  private static final String TIMEOUT = "?timeoutMillis=600000";

  @Mixin private HelpOption help;
  @Mixin private ClusterOption cluster;

  @Parameters(
      arity = "1..*",
      paramLabel = "TABLE",
      description = "A table's name, or CLUSTER/ID as 'uniserve backups' shows it.")
  private List<String> tables;

  @Option(names = "--to", paramLabel = "TIME", description = "The moment, with its time zone.")
  private String moment;

  @Option(names = "--as", paramLabel = "NAME", description = "A name for the restored table.")
  private String name;

  @Option(names = "--replicas", description = "Copies of each actor (default: as before).")
  private Integer replicas;

  @Override
  public Integer call() {
    Map<String, Object> wanted = new LinkedHashMap<>();
    wanted.put("tables", List.copyOf(tables));
    if (moment != null) {
      wanted.put("asOf", moment);
    }
    if (name != null) {
      wanted.put("name", name);
    }
    if (replicas != null) {
      wanted.put("replicas", (long) replicas);
    }
    try (RemoteCluster remote = cluster.connect()) {
      Map<String, Object> answer = remote.post("/api/backups/restore" + TIMEOUT, wanted);
      for (Object table : new Settings("the answer", answer).list("tables")) {
        Settings row = new Settings("a table", Settings.object("a table", table));
        System.out.println(
            "Table "
                + row.text("name", "")
                + " restored: "
                + Figures.plural(row.integer("actors", 0), "actor")
                + leftOut(row.object("leftOut")));
      }
    }
    return 0;
  }

  /** Returns what an ordered table lacks of which the store has a part. */
  private static String leftOut(Map<String, Object> leftOut) {
    if (leftOut.isEmpty()) {
      return "";
    }
    String time = leftOut.containsKey("time") ? " of " + leftOut.get("time") : "";
    return ", without update "
        + leftOut.get("from")
        + time
        + " and those after it, since the store lacks that update of actor "
        + leftOut.get("actor");
  }
}
