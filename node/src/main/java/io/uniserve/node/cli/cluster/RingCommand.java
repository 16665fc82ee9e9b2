package io.uniserve.node.cli.cluster;

import io.uniserve.node.cli.option.ClusterOption;
import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that shows and changes the ring of servers that a table is placed on. */
@Command(
    name = "ring",
    description = "Shows and changes the ring of servers that a table is placed on.",
    footer = {
      "",
      "A table is placed on a ring by: uniserve table create NAME --placement ring",
      "An identifier is a key; of a table that is partitioned by hash, a number such as 3.25.",
      "Changes are made one after another, in the order in which they were submitted."
    })
public final class RingCommand {
  private static final int UNKNOWN = -1;

  private final PrintStream out = System.out;

  @Mixin private HelpOption help;

  /** The options of all changes. */
  static final class ChangeOptions {
    @Option(
        names = "--after",
        paramLabel = "NUMBER",
        description = "Refuses the change if another than this was the last one submitted.")
    private Integer after;

    @Option(names = "--wait", description = "Waits until the change is made.")
    private boolean wait;
  }

  @Command(name = "show", description = "Shows the ring, and the changes that wait.")
  void show(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Parameters(paramLabel = "TABLE", description = "The table's name.") String table,
      @Option(names = "--json", description = "Shows the answer as JSON.") boolean json) {
    try (RemoteCluster remote = cluster.connect()) {
      Map<String, Object> answer = remote.get(path(table));
      if (json) {
        out.println(Json.pretty(answer));
      } else {
        new RingPicture(answer).lines().forEach(out::println);
      }
    }
  }

  @Command(name = "expand", description = "Gives a server that is not on the ring an identifier.")
  void expand(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Mixin ChangeOptions options,
      @Parameters(index = "0", paramLabel = "TABLE", description = "The table's name.")
          String table,
      @Parameters(index = "1", paramLabel = "SERVER", description = "The server's name.")
          String server,
      @Option(
              names = "--at",
              paramLabel = "IDENTIFIER",
              description =
                  "The first place that it owns (default, of a table that is partitioned by hash:"
                      + " the middle of the widest range).")
          String at) {
    Map<String, Object> request = request("expand", server);
    if (at != null) {
      request.put("at", at);
    }
    submit(cluster, table, request, options);
  }

  @Command(
      name = "contract",
      description = "Takes a server off the ring; the one before it owns its keys from then on.")
  void contract(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Mixin ChangeOptions options,
      @Parameters(index = "0", paramLabel = "TABLE", description = "The table's name.")
          String table,
      @Parameters(index = "1", paramLabel = "SERVER", description = "The server's name.")
          String server) {
    submit(cluster, table, request("contract", server), options);
  }

  @Command(
      name = "replace",
      description = "Gives the identifier of a server to one that is not on the ring.")
  void replace(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Mixin ChangeOptions options,
      @Parameters(index = "0", paramLabel = "TABLE", description = "The table's name.")
          String table,
      @Parameters(index = "1", paramLabel = "SERVER", description = "The server that leaves.")
          String server,
      @Parameters(index = "2", paramLabel = "BY", description = "The server that comes.")
          String by) {
    Map<String, Object> request = request("replace", server);
    request.put("by", by);
    submit(cluster, table, request, options);
  }

  @Command(name = "rebalance", description = "Gives a server of the ring another identifier.")
  void rebalance(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Mixin ChangeOptions options,
      @Parameters(index = "0", paramLabel = "TABLE", description = "The table's name.")
          String table,
      @Parameters(index = "1", paramLabel = "SERVER", description = "The server's name.")
          String server,
      @Option(
              names = "--at",
              required = true,
              paramLabel = "IDENTIFIER",
              description = "The first place that it owns from then on.")
          String at) {
    Map<String, Object> request = request("rebalance", server);
    request.put("at", at);
    submit(cluster, table, request, options);
  }

  private static Map<String, Object> request(String change, String server) {
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("change", change);
    request.put("server", server);
    return request;
  }

  private void submit(
      ClusterOption cluster, String table, Map<String, Object> request, ChangeOptions options) {
    if (options.after != null) {
      request.put("after", (long) options.after);
    }
    request.put("wait", options.wait);
    try (RemoteCluster remote = cluster.connect()) {
      Settings answer = new Settings("the cluster's answer", remote.post(path(table), request));
      out.println(
          "Change "
              + answer.integer("number", UNKNOWN)
              + " of the ring of table "
              + table
              + (options.wait ? " is made: " : " waits for its turn: ")
              + answer.text("change", ""));
    }
  }

  private static String path(String table) {
    return "/api/tables/" + RemoteCluster.part(table) + "/ring";
  }
}
