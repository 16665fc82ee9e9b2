package io.uniserve.node.cli.cluster;

import io.uniserve.node.cli.option.ClusterOption;
import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.node.text.Columns;
import java.io.PrintStream;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command that lists, adds and removes routers. */
@Command(name = "router", description = "Lists, adds or removes routers while the cluster runs.")
public final class RouterCommand {
  private final PrintStream out = System.out;

  @Mixin private HelpOption help;

  @Command(name = "list", description = "Lists all routers and which of them decides.")
  void list(@Mixin HelpOption helpOption, @Mixin ClusterOption cluster) {
    try (RemoteCluster remote = cluster.connect()) {
      Columns columns = new Columns().row("ADDRESS", "ID", "STATE", "VERSION");
      for (Object router : new Settings("the answer", remote.get("/api/routers")).list("routers")) {
        Map<String, Object> row = Settings.object("a router", router);
        columns.row(
            row.get("address"),
            row.getOrDefault("id", ""),
            state(row),
            row.getOrDefault("version", ""));
      }
      columns.lines().forEach(out::println);
    }
  }

  private static String state(Map<String, Object> router) {
    if (!Boolean.TRUE.equals(router.get("alive"))) {
      return "does not answer";
    }
    if (Boolean.TRUE.equals(router.get("decides"))) {
      return "leads";
    }
    if (Boolean.TRUE.equals(router.get("voting"))) {
      return "follows";
    }
    return Boolean.TRUE.equals(router.get("member")) ? "learns" : "is no member";
  }

  @Command(
      name = "add",
      description = "Lets a router join that runs already, with 'router' naming all and itself.")
  void add(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Parameters(paramLabel = "HOST:PORT", description = "Where it listens.") String address) {
    try (RemoteCluster remote = cluster.connect()) {
      Map<String, Object> answer = remote.post("/api/routers", Map.of("address", address));
      out.println("Routers: " + new Settings("the answer", answer).list("members"));
    }
  }

  @Command(name = "remove", description = "Lets a router go, be it alive or lost.")
  void remove(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Parameters(paramLabel = "ROUTER", description = "Its address or its identity.")
          String router) {
    try (RemoteCluster remote = cluster.connect()) {
      remote.delete("/api/routers/" + RemoteCluster.part(router));
    }
    out.println("Router " + router + " removed");
  }
}
