package io.uniserve.node.cli.cluster;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.cli.option.ClusterOption;
import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.node.text.Columns;
import io.uniserve.node.text.Figures;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that balances the load of a running cluster. */
@Command(
    name = "placement",
    description = "Balances load: which servers hold which actors, and why.",
    footer = {
      "",
      "An actor is named TABLE/NUMBER.",
      "Example: uniserve placement preview --policy podp"
    })
public final class PlacementCommand {
  private final PrintStream out = System.out;

  @Mixin private HelpOption help;

  @Command(name = "preview", description = "Shows what a policy would change.")
  void preview(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Option(
              names = "--policy",
              paramLabel = "NAME",
              description =
                  "greedy, nlb, getafix, getafix+, podp, or one's own (default: the"
                      + " cluster's).")
          String policy,
      @Option(names = "--json", description = "Shows the answer as JSON.") boolean json) {
    decide(cluster, "preview", policy, json);
  }

  @Command(
      name = "apply",
      description = {
        "Has a policy decide, and moves and copies actors accordingly.",
        "Returns once that is recorded; 'status' shows how far it is."
      })
  void apply(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Option(
              names = "--policy",
              paramLabel = "NAME",
              description = "As of 'preview' (default: the cluster's).")
          String policy,
      @Option(names = "--json", description = "Shows the answer as JSON.") boolean json) {
    decide(cluster, "apply", policy, json);
  }

  private void decide(ClusterOption cluster, String what, String policy, boolean json) {
    try (RemoteCluster remote = cluster.connect()) {
      Map<String, Object> request = new LinkedHashMap<>();
      if (policy != null) {
        request.put("policy", policy);
      }
      Map<String, Object> answer = remote.post("/api/placement/" + what, request);
      if (json) {
        out.println(Json.pretty(answer));
      } else {
        show(new Settings("the answer", answer));
      }
    }
  }

  private void show(Settings answer) {
    out.println(answer.text("policy") + ": " + answer.text("summary"));
    List<?> changes = answer.list("changes");
    if (changes.isEmpty()) {
      out.println("Nothing changes.");
    } else {
      Columns columns = new Columns().row("ACTOR", "NOW ON", "WANTED ON", "WHY");
      for (Object change : changes) {
        Map<String, Object> row = Settings.object("a change", change);
        columns.row(
            row.get("table") + "/" + row.get("actor"),
            joined(row.get("from")),
            joined(row.get("to")),
            row.get("why"));
      }
      columns.lines().forEach(out::println);
    }
    int left = answer.integer("left", 0);
    if (left > 0) {
      out.println(Figures.plural(left, "actor") + " more would change; ask again later.");
    }
  }

  private static String joined(Object servers) {
    return ((List<?>) servers).stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  private static final int NONE = -1;

  @Command(name = "why", description = "Says where an actor is, and why.")
  void why(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Parameters(paramLabel = "ACTOR", description = "TABLE/NUMBER.") String actor,
      @Option(names = "--json", description = "Shows the answer as JSON.") boolean json) {
    try (RemoteCluster remote = cluster.connect()) {
      Map<String, Object> answer = remote.get(Name.of(actor).path() + "/placement");
      if (json) {
        out.println(Json.pretty(answer));
      } else {
        explain(new Settings("the answer", answer));
      }
    }
  }

  private void explain(Settings answer) {
    String copies =
        answer.object("copies").entrySet().stream()
            .map(copy -> copy.getKey() + " (" + copy.getValue() + ")")
            .collect(Collectors.joining(", "));
    out.println("Copies on " + copies + "; " + answer.text("primary") + " leads");
    if (!answer.list("pins").isEmpty()) {
      out.println("Pinned to " + joined(answer.list("pins")));
    }
    List<?> placed = answer.list("placed");
    out.println(
        placed.isEmpty()
            ? "No policy has moved it: it is where its table's creation or a repair put it"
            : "Wanted on " + joined(placed) + ": " + answer.text("why", ""));
    int whole = answer.integer("partOf", NONE);
    if (whole != NONE) {
      out.println("A part of what was actor " + whole + " before a split");
    }
    String splitting = answer.text("splitting", "");
    if (!splitting.isEmpty()) {
      out.println("Is being split: " + splitting);
    }
    List<?> mergedFrom = answer.list("mergedFrom");
    if (!mergedFrom.isEmpty()) {
      out.println("Was merged of actors " + mergedFrom.getFirst() + " and " + mergedFrom.getLast());
    }
    int with = answer.integer("mergingWith", NONE);
    if (with != NONE) {
      out.println("Is being merged with actor " + with + ": " + answer.text("merging", ""));
    }
    Map<String, Object> move = answer.object("move");
    if (!move.isEmpty()) {
      out.println(
          "Moves from "
              + move.get("from")
              + " to "
              + move.get("to")
              + " ("
              + move.get("stage")
              + "): "
              + move.get("why"));
    }
  }

  @Command(
      name = "pin",
      description = {
        "Pins an actor to a server: policies keep a copy there, and nobody removes it.",
        "The copy is made by the next decision of a policy."
      })
  void pin(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Parameters(index = "0", paramLabel = "ACTOR", description = "TABLE/NUMBER.") String actor,
      @Parameters(index = "1", paramLabel = "SERVER", description = "The server's name.")
          String server) {
    try (RemoteCluster remote = cluster.connect()) {
      remote.post(pins(actor, server), Map.of());
      out.println("Actor " + actor + " is pinned to " + server);
    }
  }

  @Command(name = "unpin", description = "Ends a pin.")
  void unpin(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Parameters(index = "0", paramLabel = "ACTOR", description = "TABLE/NUMBER.") String actor,
      @Parameters(index = "1", paramLabel = "SERVER", description = "The server's name.")
          String server) {
    try (RemoteCluster remote = cluster.connect()) {
      remote.delete(pins(actor, server));
      out.println("Actor " + actor + " is not pinned to " + server);
    }
  }

  @Command(
      name = "split",
      description = {
        "Splits an actor into two, while updates and queries go on.",
        "The new actor is made on the same servers; policies and moves then treat it as any other."
      })
  void split(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Parameters(paramLabel = "ACTOR", description = "TABLE/NUMBER.") String actor,
      @Option(
              names = "--at",
              paramLabel = "KEY",
              description =
                  "Of a table that is partitioned by range: the first key that goes"
                      + " (default: about the middle).")
          String at) {
    try (RemoteCluster remote = cluster.connect()) {
      Settings answer =
          new Settings(
              "the cluster's answer",
              remote.post(
                  Name.of(actor).path() + "/split", at == null ? Map.of() : Map.of("at", at)));
      out.println(
          "Actor "
              + actor
              + " was split: the table has "
              + Figures.plural(answer.integer("actors", 0), "actor")
              + " now");
    }
  }

  @Command(
      name = "merge",
      description = {
        "Merges an actor with another into a new one, while updates and queries go on.",
        "Copies of the one are moved to where those of the other are first."
      })
  void merge(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Parameters(paramLabel = "ACTOR", description = "TABLE/NUMBER.") String actor,
      @Option(
              names = "--with",
              paramLabel = "NUMBER",
              description =
                  "The other, whose keys are next to its own (default: the last that was made).")
          Integer with) {
    try (RemoteCluster remote = cluster.connect()) {
      Settings answer =
          new Settings(
              "the cluster's answer",
              remote.post(
                  Name.of(actor).path() + "/merge",
                  with == null ? Map.of() : Map.of("with", with)));
      out.println(
          "Actor "
              + actor
              + " is part of actor "
              + answer.integer("actor", NONE)
              + " now: the table has "
              + Figures.plural(answer.integer("actors", 0), "actor"));
    }
  }

  private static String pins(String actor, String server) {
    return Name.of(actor).path() + "/pins/" + RemoteCluster.part(server);
  }

  @Command(
      name = "pause",
      description = "Keeps policies from changing anything, over restarts too, until 'resume'.")
  void pause(@Mixin HelpOption helpOption, @Mixin ClusterOption cluster) {
    try (RemoteCluster remote = cluster.connect()) {
      remote.post("/api/placement/pause", Map.of());
      out.println("Placement is paused");
    }
  }

  @Command(name = "resume", description = "Lets policies go on.")
  void resume(@Mixin HelpOption helpOption, @Mixin ClusterOption cluster) {
    try (RemoteCluster remote = cluster.connect()) {
      remote.delete("/api/placement/pause");
      out.println("Placement goes on");
    }
  }

  /** An actor's name. */
  private record Name(String table, int number) {
    static Name of(String text) {
      int slash = text.lastIndexOf('/');
      String number = text.substring(slash + 1);
      if (slash < 1 || !number.matches("[0-9]{1,6}")) {
        throw UniserveException.invalid("an actor is named TABLE/NUMBER, not '" + text + "'");
      }
      return new Name(text.substring(0, slash), Integer.parseInt(number));
    }

    String path() {
      return "/api/tables/" + RemoteCluster.part(table) + "/actors/" + number;
    }
  }
}
