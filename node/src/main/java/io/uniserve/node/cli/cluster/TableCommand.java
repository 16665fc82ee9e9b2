package io.uniserve.node.cli.cluster;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.cli.option.ClusterOption;
import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.node.text.Columns;
import io.uniserve.node.text.Figures;
import io.uniserve.node.text.TextFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that creates, drops, lists and shows tables. */
@Command(name = "table", description = "Creates, drops, lists or shows tables.")
public final class TableCommand {
  private final PrintStream out = System.out;

  @Mixin private HelpOption help;

  @Command(name = "create", description = "Creates a table and waits until it can be used.")
  void create(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Parameters(paramLabel = "TABLE", description = "Its name.") String name,
      @Option(
              names = "--engine",
              defaultValue = "search",
              description = "What stores it (default: ${DEFAULT-VALUE}).")
          String engine,
      @Option(
              names = "--schema",
              paramLabel = "JSON",
              defaultValue = "{}",
              description = "The engine's schema: JSON, or the name of a file with JSON.")
          String schema,
      @Option(names = "--actors", description = "Into how many parts it is cut (default: 8).")
          Integer actors,
      @Option(
              names = "--splits",
              paramLabel = "KEYS",
              split = ",",
              description =
                  "Cuts it by ranges of keys, at these keys, with commas between and ascending;"
                      + " otherwise by their hashes.")
          List<String> splits,
      @Option(
              names = "--splits-from",
              paramLabel = "FILE",
              description =
                  "Cuts it by ranges of keys, into as many as --actors, so that each gets about"
                      + " equally many of the records of this file.")
          Path splitsFrom,
      @Option(
              names = "--replicas",
              defaultValue = "2",
              description = "Copies of each part (default: ${DEFAULT-VALUE}).")
          int replicas,
      @Option(
              names = "--durability",
              defaultValue = "asynchronous",
              description =
                  "What the durable store promises: none, asynchronous or synchronous"
                      + " (default: ${DEFAULT-VALUE}).")
          String durability,
      @Option(
              names = "--consistency",
              defaultValue = "eventual",
              description =
                  "How updates run and what reads see of them: eventual, serializable, snapshot or"
                      + " ordered (default: ${DEFAULT-VALUE}).")
          String consistency,
      @Option(
              names = "--retention-hours",
              paramLabel = "HOURS",
              defaultValue = "24",
              description =
                  "How long ago a moment may be as of which it can be restored, and for how long it"
                      + " can be once it was dropped (default: ${DEFAULT-VALUE}).")
          int retentionHours,
      @Option(
              names = "--on-loss",
              paramLabel = "DECISION",
              description =
                  "What a part does that has no complete copy on any living server: wait, or"
                      + " 'restore-after SECONDS' (default: restore-after 30 for eventual tables"
                      + " with a durable store, otherwise wait).")
          String onLoss,
      @Option(
              names = "--placement",
              paramLabel = "KIND",
              defaultValue = "policy",
              description =
                  "What chooses the servers of its copies: policy, or ring; see 'ring --help'"
                      + " (default: ${DEFAULT-VALUE}).")
          String placement,
      @Option(
              names = "--ring-servers",
              paramLabel = "SERVERS",
              split = ",",
              description = "The servers that its ring begins with, in order (default: all).")
          List<String> ringServers) {
    Map<String, Object> table = new LinkedHashMap<>();
    table.put("name", name);
    table.put("engine", engine);
    if (actors != null) {
      table.put("actors", (long) actors);
    }
    if (splits != null) {
      table.put("splits", splits);
    }
    Map<String, Object> parsed = schema(schema);
    if (splitsFrom != null) {
      table.put("sample", KeySample.of(splitsFrom, KeySample.fieldOf(parsed)));
    }
    table.put("replicas", (long) replicas);
    table.put("durability", durability);
    table.put("consistency", consistency);
    table.put("placement", placement);
    if (ringServers != null) {
      table.put("ringServers", ringServers);
    }
    table.put("retentionHours", (long) retentionHours);
    table.put("schema", parsed);
    if (onLoss != null) {
      table.put("onLoss", onLoss);
    }
    try (RemoteCluster remote = cluster.connect()) {
      Map<String, Object> made = remote.post("/api/tables", table);
      out.println(
          "Table "
              + name
              + " created: "
              + Figures.plural((Long) made.get("actors"), "actor")
              + " of "
              + engine
              + ", copies of each: "
              + replicas);
    }
  }

  private static Map<String, Object> schema(String given) {
    if (given.stripLeading().startsWith("{")) {
      return Settings.object("--schema", parse("--schema", given));
    }
    try {
      return Settings.object(given, parse(given, TextFile.read(Path.of(given))));
    } catch (NoSuchFileException e) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND, "--schema is neither a JSON object nor a file: " + given, e);
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.INVALID_ARGUMENT,
          "cannot read " + given + ": " + UniserveException.reason(e),
          e);
    }
  }

  private static Object parse(String where, String json) {
    try {
      return Json.parse(json);
    } catch (UniserveException e) {
      throw new UniserveException(e.code(), where + ": " + e.getMessage(), e);
    }
  }

  @Command(name = "drop", description = "Drops a table and all its data.")
  void drop(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Parameters(paramLabel = "TABLE", description = "Its name.") String name) {
    try (RemoteCluster remote = cluster.connect()) {
      remote.delete("/api/tables/" + RemoteCluster.part(name));
    }
    out.println("Table " + name + " dropped");
  }

  @Command(name = "list", description = "Lists all tables.")
  void list(@Mixin HelpOption helpOption, @Mixin ClusterOption cluster) {
    try (RemoteCluster remote = cluster.connect()) {
      Columns columns =
          new Columns().row("TABLE", "ENGINE", "ACTORS", "REPLICAS", "DURABILITY", "CONSISTENCY");
      for (Object table : new Settings("the answer", remote.get("/api/tables")).list("tables")) {
        Map<String, Object> row = Settings.object("a table", table);
        columns.row(
            row.get("name"),
            row.get("engine"),
            row.get("actors"),
            row.get("replicas"),
            row.get("durability"),
            row.get("consistency"));
      }
      columns.lines().forEach(out::println);
    }
  }

  @Command(
      name = "show",
      description = "Shows a table, its schema and where its copies are, as JSON.")
  void show(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Parameters(paramLabel = "TABLE", description = "Its name.") String name) {
    try (RemoteCluster remote = cluster.connect()) {
      out.println(Json.pretty(remote.get("/api/tables/" + RemoteCluster.part(name))));
    }
  }
}
