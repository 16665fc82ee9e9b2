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

/** The command that lists, adds and removes controllers. */
@Command(
    name = "controller",
    description = "Lists, adds or removes controllers while the cluster runs.")
public final class ControllerCommand {
  private final PrintStream out = System.out;

  @Mixin private HelpOption help;

  @Command(name = "list", description = "Lists all controllers and which of them decides.")
  void list(@Mixin HelpOption helpOption, @Mixin ClusterOption cluster) {
    try (RemoteCluster remote = cluster.connect()) {
      Columns columns = new Columns().row("ADDRESS", "ID", "STATE", "VERSION");
      for (Object controller :
          new Settings("the answer", remote.get("/api/controllers")).list("controllers")) {
        Map<String, Object> row = Settings.object("a controller", controller);
        columns.row(
            row.get("address"),
            row.getOrDefault("id", ""),
            state(row),
            row.getOrDefault("version", ""));
      }
      columns.lines().forEach(out::println);
    }
  }

  private static String state(Map<String, Object> controller) {
    if (!Boolean.TRUE.equals(controller.get("alive"))) {
      return "does not answer";
    }
    if (Boolean.TRUE.equals(controller.get("decides"))) {
      return "leads";
    }
    if (Boolean.TRUE.equals(controller.get("voting"))) {
      return "follows";
    }
    return Boolean.TRUE.equals(controller.get("member")) ? "learns" : "is no member";
  }

  @Command(
      name = "add",
      description =
          "Lets a controller join that runs already, with 'controller' naming all and itself.")
  void add(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Parameters(paramLabel = "HOST:PORT", description = "Where it listens.") String address) {
    try (RemoteCluster remote = cluster.connect()) {
      Map<String, Object> answer = remote.post("/api/controllers", Map.of("address", address));
      out.println("Controllers: " + new Settings("the answer", answer).list("members"));
    }
  }

  @Command(name = "remove", description = "Removes a controller, whether it is alive or lost.")
  void remove(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Parameters(paramLabel = "CONTROLLER", description = "Its address or its identity.")
          String controller) {
    try (RemoteCluster remote = cluster.connect()) {
      remote.delete("/api/controllers/" + RemoteCluster.part(controller));
    }
    out.println("Controller " + controller + " removed");
  }
}
