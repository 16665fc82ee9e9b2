package io.uniserve.node.cli.cluster;

import io.uniserve.node.cli.option.ClusterOption;
import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.node.text.Figures;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that lets a cluster follow its load. */
@Command(
    name = "scale",
    description = "Lets a cluster follow its load: adds servers, and drains and ends them.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Policies:",
      "  utilisation:0.3-0.7        servers no busier than 0.7 and no idler than 0.3, in the mean",
      "  latency:200ms              the slowest hundredth of operators below 200 ms",
      "  'schedule:mon-fri 08:00-18:00=6; else=2; zone=Europe/Berlin'",
      "  own:NAME                   one that a plug-in brings",
      "The first two may have ,grow-after=30s ,shrink-after=5m and ,cool-down=1m."
    })
public final class ScaleCommand {
  private final PrintStream out = System.out;

  @Mixin private HelpOption help;

  @Command(name = "show", description = "Shows the size, the policy, and its last opinion.")
  void show(@Mixin HelpOption helpOption, @Mixin ClusterOption cluster) {
    try (RemoteCluster remote = cluster.connect()) {
      print(remote.get("/api/scaling"));
    }
  }

  @Command(
      name = "set",
      description = "Sets bounds and policy; omitted values stay as they are.",
      footer = {"", "Example: uniserve scale set --min 2 --max 8 --policy utilisation:0.3-0.7"})
  void set(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Option(names = "--min", paramLabel = "N", description = "The fewest servers.") Integer min,
      @Option(names = "--max", paramLabel = "N", description = "The most servers.") Integer max,
      @Option(
              names = "--policy",
              paramLabel = "POLICY",
              description = "Decides how many there are; see 'uniserve scale --help'.")
          String policy,
      @Option(
              names = "--interval-millis",
              paramLabel = "N",
              description = "Between two decisions (default: 5000).")
          Integer interval) {
    Map<String, Object> given = new LinkedHashMap<>();
    put(given, "min", min);
    put(given, "max", max);
    put(given, "policy", policy);
    put(given, "intervalMillis", interval);
    send(cluster, given);
  }

  private static void put(Map<String, Object> given, String name, Object value) {
    if (value != null) {
      given.put(name, value);
    }
  }

  @Command(name = "pause", description = "Decides nothing new; earlier decisions are carried out.")
  void pause(@Mixin HelpOption helpOption, @Mixin ClusterOption cluster) {
    send(cluster, Map.of("paused", true));
  }

  @Command(name = "resume", description = "Decides again.")
  void resume(@Mixin HelpOption helpOption, @Mixin ClusterOption cluster) {
    send(cluster, Map.of("paused", false));
  }

  private void send(ClusterOption cluster, Map<String, Object> given) {
    try (RemoteCluster remote = cluster.connect()) {
      print(remote.post("/api/scaling", given));
    }
  }

  private void print(Map<String, Object> scaling) {
    if (!scaling.containsKey("policy")) {
      out.println("The cluster keeps its size; 'uniserve scale set' changes that");
      return;
    }
    int servers = new Settings("the answer", scaling).list("fleet").size();
    out.println(
        Figures.plural(servers, "server")
            + ", "
            + scaling.get("min")
            + " to "
            + scaling.get("max")
            + " by "
            + scaling.get("policy")
            + (Boolean.TRUE.equals(scaling.get("paused")) ? ", paused" : ""));
    Object changed = scaling.get("changed");
    if (changed != null) {
      out.println("Since " + changed + ": " + scaling.get("why"));
    }
    if (scaling.get("utilization") instanceof Number utilization) {
      out.printf(Locale.ROOT, "Utilisation %.2f%n", utilization.doubleValue());
    }
    line("Now: ", scaling.get("opinion"));
    line("Problem: ", scaling.get("problem"));
  }

  private void line(String head, Object text) {
    if (text != null && !text.equals("")) {
      out.println(head + text);
    }
  }
}
