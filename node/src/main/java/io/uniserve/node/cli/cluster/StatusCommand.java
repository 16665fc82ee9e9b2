package io.uniserve.node.cli.cluster;

import io.uniserve.node.cli.option.ClusterOption;
import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.node.text.Columns;
import io.uniserve.node.text.Figures;
import io.uniserve.node.text.Style;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that shows servers, tables and copies. */
@Command(name = "status", description = "Shows servers, tables and copies of a running cluster.")
public final class StatusCommand implements Callable<Integer> {
  @Mixin private HelpOption help;
  @Mixin private ClusterOption cluster;

  @Option(names = "--json", description = "Shows everything, as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    try (RemoteCluster remote = cluster.connect()) {
      Map<String, Object> document = remote.get("/api/cluster");
      if (json) {
        System.out.println(Json.pretty(document));
      } else {
        show(new Settings("the answer", document));
      }
    }
    return 0;
  }

  private static void show(Settings document) {
    Style style = Style.ofTerminal();
    print(servers(document), style);
    document.list("servers").forEach(StatusCommand::tellRefusal);
    System.out.println();
    print(tables(document), style);
    if (!document.list("waiting").isEmpty()) {
      System.out.println();
      print(waiting(document), style);
    }
    for (Object table : document.list("tables")) {
      recovered(Settings.object("a table", table)).ifPresent(System.out::println);
    }
    if (!document.list("hotActors").isEmpty()) {
      System.out.println();
      print(hotActors(document), style);
    }
    if (!document.list("troubles").isEmpty()) {
      System.out.println();
      print(troubles(document), style);
    }
    if (document.flag("placementPaused")) {
      System.out.println();
      System.out.println("Placement is paused.");
    }
    if (!document.list("moves").isEmpty()) {
      System.out.println();
      print(moves(document), style);
    }
    if (!document.list("splits").isEmpty()) {
      System.out.println();
      print(splits(document), style);
    }
    if (!document.list("merges").isEmpty()) {
      System.out.println();
      print(merges(document), style);
    }
  }

  private static Columns waiting(Settings document) {
    Columns columns = new Columns().row("WAITING ACTOR", "FOR A COMPLETE COPY ON", "OTHERWISE");
    for (Object actor : document.list("waiting")) {
      Map<String, Object> row = Settings.object("an actor", actor);
      List<?> servers = new Settings("an actor", actor).list("for");
      Object onLoss = row.get("onLoss");
      columns.row(
          row.get("table") + "/" + row.get("actor"),
          servers.isEmpty()
              ? "no server any more"
              : servers.stream().map(String::valueOf).collect(Collectors.joining(" or ")),
          "wait".equals(onLoss)
              ? "uniserve recover " + row.get("table") + " --accept-loss"
              : onLoss);
    }
    return columns;
  }

  private static Columns troubles(Settings document) {
    Columns columns = new Columns().row("FAILING COPY", "ON", "TIMES", "WHY");
    for (Object trouble : document.list("troubles")) {
      Map<String, Object> row = Settings.object("a trouble", trouble);
      columns.row(
          row.get("table") + "/" + row.get("actor"),
          row.get("server"),
          row.get("times"),
          row.get("message"));
    }
    return columns;
  }

  private static Optional<String> recovered(Map<String, Object> table) {
    return table.containsKey("recovered")
        ? Optional.of(
            "\nTable "
                + table.get("name")
                + " was recovered at "
                + Settings.object("a recovery", table.get("recovered")).get("at")
                + ": "
                + Settings.object("a recovery", table.get("recovered")).get("why"))
        : Optional.empty();
  }

  private static Columns hotActors(Settings document) {
    Columns columns = new Columns().row("BUSIEST ACTOR", "THREADS BUSY", "OPERATORS/S", "COPIES");
    for (Object actor : document.list("hotActors")) {
      Map<String, Object> row = Settings.object("an actor", actor);
      columns.row(
          row.get("table") + "/" + row.get("actor"),
          decimal(row.get("load"), "%.3f"),
          decimal(row.get("operatorsPerSecond"), "%.1f"),
          row.get("copies"));
    }
    return columns;
  }

  private static String decimal(Object number, String format) {
    return number instanceof Number value
        ? String.format(Locale.ROOT, format, value.doubleValue())
        : "-";
  }

  private static String percent(Object share) {
    return share instanceof Number value
        ? String.format(Locale.ROOT, "%.0f%%", 100 * value.doubleValue())
        : "-";
  }

  private static Columns moves(Settings document) {
    Columns columns = new Columns().row("MOVE", "FROM", "TO", "STAGE", "WHY");
    for (Object move : document.list("moves")) {
      Map<String, Object> row = Settings.object("a move", move);
      columns.row(
          row.get("table") + "/" + row.get("actor"),
          row.get("from"),
          row.get("to"),
          row.get("stage"),
          row.get("why"));
    }
    return columns;
  }

  private static Columns splits(Settings document) {
    Columns columns = new Columns().row("SPLIT", "WHY");
    for (Object split : document.list("splits")) {
      Map<String, Object> row = Settings.object("a split", split);
      columns.row(row.get("table") + "/" + row.get("actor"), row.get("why"));
    }
    return columns;
  }

  private static Columns merges(Settings document) {
    Columns columns = new Columns().row("MERGE", "WITH", "WHY");
    for (Object merge : document.list("merges")) {
      Map<String, Object> row = Settings.object("a merge", merge);
      columns.row(row.get("table") + "/" + row.get("actor"), row.get("with"), row.get("why"));
    }
    return columns;
  }

  private static void print(Columns columns, Style style) {
    boolean head = true;
    for (String line : columns.lines()) {
      System.out.println(head ? style.strong(line) : line);
      head = false;
    }
  }

  private static Columns servers(Settings document) {
    Columns columns =
        new Columns()
            .row(
                "SERVER",
                "STATE",
                "UP",
                "BUSY",
                "COPIES",
                "OPERATORS",
                "WAITING",
                "MEMORY",
                "DISK",
                "NOT BACKED UP",
                "ADDRESS");
    for (Object server : document.list("servers")) {
      Map<String, Object> row = Settings.object("a server", server);
      columns.row(
          row.get("name"),
          state(row),
          row.get("uptimeSeconds") instanceof Long up
              ? Figures.duration(Duration.ofSeconds(up))
              : "-",
          percent(row.get("utilization")),
          row.getOrDefault("copies", "-"),
          row.getOrDefault("operators", "-"),
          row.getOrDefault("operatorsWaiting", "-"),
          row.get("memoryBytes") instanceof Long memory ? Figures.bytes(memory) : "-",
          row.get("diskBytes") instanceof Long disk ? Figures.bytes(disk) : "-",
          behind(row),
          row.get("address"));
    }
    return columns;
  }

  /** Returns how many updates the durable store lacks, and for how long it has lacked any. */
  private static String behind(Map<String, Object> server) {
    return server.get("backupLag") instanceof Long updates
            && server.get("backupLagSeconds") instanceof Number seconds
        ? updates
            + (updates == 0 ? "" : String.format(Locale.ROOT, ", %.1f s", seconds.doubleValue()))
        : "-";
  }

  /** Reports that another cluster of the same name writes to the durable store. */
  private static void tellRefusal(Object server) {
    Map<String, Object> row = Settings.object("a server", server);
    if (row.get("storeRefusal") instanceof String why) {
      System.out.println();
      System.out.println(row.get("name") + " writes nothing to the durable store: " + why);
    }
  }

  private static String state(Map<String, Object> server) {
    if (Boolean.FALSE.equals(server.get("alive"))) {
      return Boolean.TRUE.equals(server.get("leaving")) ? "left" : "failed";
    }
    if (Boolean.TRUE.equals(server.get("leaving"))) {
      return "leaving";
    }
    if (Boolean.TRUE.equals(server.get("draining"))) {
      return Long.valueOf(0).equals(server.get("copies")) ? "drained" : "draining";
    }
    return Boolean.TRUE.equals(server.get("answers")) ? "alive" : "silent";
  }

  private static Columns tables(Settings document) {
    Columns columns =
        new Columns().row("TABLE", "ENGINE", "ACTORS", "REPLICAS", "COPIES READY", "DURABILITY");
    Set<Object> alive =
        document.list("servers").stream()
            .map(server -> Settings.object("a server", server))
            .filter(server -> Boolean.TRUE.equals(server.get("alive")))
            .map(server -> server.get("name"))
            .collect(Collectors.toSet());
    for (Object table : document.list("tables")) {
      Map<String, Object> row = Settings.object("a table", table);
      columns.row(
          row.get("name"),
          row.get("engine"),
          row.get("actors"),
          row.get("replicas"),
          readyCopies(row, alive),
          row.get("durability"));
    }
    return columns;
  }

  private static String readyCopies(Map<String, Object> table, Set<Object> alive) {
    long ready = 0;
    long all = 0;
    for (Object actor : new Settings("a table", table).list("assignment")) {
      Map<String, Object> copies = new Settings("an actor", actor).object("copies");
      all += copies.size();
      ready +=
          copies.entrySet().stream()
              .filter(copy -> "ready".equals(copy.getValue()) && alive.contains(copy.getKey()))
              .count();
    }
    return ready + " of " + all;
  }
}
