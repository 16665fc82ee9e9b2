package io.uniserve.node.cli.cluster;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.cli.option.ClusterOption;
import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.node.export.ExportColumns;
import io.uniserve.node.export.ExportFile;
import io.uniserve.node.export.Exporter;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.node.remote.Retries;
import io.uniserve.node.text.Figures;
import io.uniserve.node.text.ProgressLine;
import io.uniserve.node.text.Style;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that writes a table to a file. */
@Command(
    name = "export",
    description = {
      "Writes the records of a table to a file or to standard output, each once.",
      "The scan finds how many servers keep this command busy, and goes on after failures."
    },
    footer = {
      "",
      "Example: uniserve export sales.orders --from 1000 --where \"o_totalprice > 5\" -o orders.csv"
    })
public final class ExportCommand implements Callable<Integer> {
  private static final long PERMILLE = 1_000;

  /** The number of attempts without a record, within about a minute. */
  private static final Retries RETRIES =
      new Retries(20, Duration.ofMillis(100), Duration.ofSeconds(5));

  @Mixin private HelpOption help;
  @Mixin private ClusterOption cluster;

  @Parameters(
      index = "0",
      paramLabel = "TABLE",
      description = "The table; of a warehouse with several SQL tables, WAREHOUSE.TABLE.")
  private String table;

  @Option(names = "--from", paramLabel = "KEY", description = "The least key.")
  private String from;

  @Option(names = "--to", paramLabel = "KEY", description = "The key before which it ends.")
  private String to;

  @Option(
      names = "--where",
      paramLabel = "TEXT",
      description = "A condition in the language of the engine: SQL after WHERE, or a search.")
  private String where;

  @Option(
      names = "--fields",
      paramLabel = "NAMES",
      split = ",",
      description = "The fields that are written, with commas between (default: all).")
  private List<String> fields = List.of();

  @Option(
      names = "--priority",
      paramLabel = "P",
      defaultValue = "normal",
      description =
          "gold, normal, batch, or a number from 1; less is more urgent (default: ${DEFAULT-VALUE}).")
  private String priority;

  @Option(
      names = "--slots",
      paramLabel = "K",
      description = "The pages that are read at a time (default: as many as are of use).")
  private Integer slots;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "A file of JSON lines (.jsonl), separated values (.csv) or Parquet (.parquet).")
  private Path output;

  @Override
  public Integer call() {
    int point = table.indexOf('.');
    String name = point < 0 ? table : table.substring(0, point);
    Map<String, Object> request = request();
    if (point >= 0) {
      request.put("part", table.substring(point + 1));
    }
    try (RemoteCluster remote = cluster.connect()) {
      // A missing table is reported first.
      Map<String, Object> known = remote.get("/api/tables/" + RemoteCluster.part(name));
      Optional<String> part = Optional.ofNullable((String) request.get("part"));
      try (ExportFile file =
          output == null
              ? ExportFile.lines(System.out)
              : ExportFile.begin(output, fields, () -> ExportColumns.of(known, part, fields))) {
        Exporter exporter =
            new Exporter(remote, name, request, file, RETRIES, ExportCommand::tellWaiting);
        report(exporter, run(exporter));
      }
    }
    return 0;
  }

  private Map<String, Object> request() {
    Map<String, Object> request = new LinkedHashMap<>();
    put(request, "from", from);
    put(request, "to", to);
    put(request, "where", where);
    put(request, "slots", slots);
    request.put("priority", priority);
    if (!fields.isEmpty()) {
      request.put("fields", String.join(",", fields));
    }
    return request;
  }

  private static void put(Map<String, Object> request, String name, Object value) {
    if (value != null) {
      request.put(name, value);
    }
  }

  private static void tellWaiting(String why) {
    System.err.println("Waiting, and going on: " + why);
  }

  private Duration run(Exporter exporter) {
    try (ProgressLine progress =
        new ProgressLine(
            System.err,
            Style.ofTerminal(),
            "records",
            PERMILLE,
            () -> Math.round(exporter.share() * PERMILLE),
            exporter::records)) {
      exporter.run();
      return progress.elapsed();
    } catch (UniserveException e) {
      if (exporter.records() > 0) {
        System.err.println(
            "Stopped; records written before that: " + Figures.count(exporter.records()));
      }
      throw e;
    }
  }

  private void report(Exporter exporter, Duration elapsed) {
    double seconds = Math.max(1e-3, elapsed.toNanos() / 1e9);
    PrintStream people = output == null ? System.err : System.out; // the records are on the other
    people.println(
        Figures.plural(exporter.records(), "record")
            + " of "
            + table
            + " written in "
            + Figures.duration(elapsed)
            + ", "
            + Figures.count(Math.round(exporter.records() / seconds))
            + "/s, "
            + Figures.count(Math.round(exporter.bytes() / seconds / 1e3))
            + " kB/s");
  }
}
