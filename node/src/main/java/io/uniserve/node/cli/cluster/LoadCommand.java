package io.uniserve.node.cli.cluster;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.cli.option.ClusterOption;
import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.node.cluster.Plugins;
import io.uniserve.node.load.LoadOptions;
import io.uniserve.node.load.LoadReport;
import io.uniserve.node.load.Loader;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.node.rows.FormattedRows;
import io.uniserve.node.rows.RowFile;
import io.uniserve.node.rows.RowReader;
import io.uniserve.node.text.Figures;
import io.uniserve.node.text.ProgressLine;
import io.uniserve.node.text.Style;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that loads files into a table. */
@Command(
    name = "load",
    description = {
      "Loads files of records into a table, replacing records of the same identity.",
      "A file holds JSON lines (.jsonl), one JSON array (.json) or separated values (.csv, .tsv), or is"
          + " a tar archive of such files; each may be compressed (.gz, .xz).",
      "Parquet (.parquet) and Arrow (.arrow) are read by the plug-in of the warehouse, for any table."
    })
public final class LoadCommand implements Callable<Integer> {
  @Mixin private HelpOption help;
  @Mixin private ClusterOption cluster;

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table, which must exist.")
  private String table;

  @Parameters(index = "1..*", arity = "1..*", paramLabel = "FILE", description = "What to load.")
  private List<Path> files;

  @Option(
      names = "--batch",
      paramLabel = "RECORDS",
      defaultValue = "1000",
      description = "Records of one request (default: ${DEFAULT-VALUE}).")
  private int batch;

  @Option(
      names = "--in-flight",
      paramLabel = "BATCHES",
      defaultValue = "4",
      description = "Requests under way at one time (default: ${DEFAULT-VALUE}).")
  private int inFlight;

  @Option(
      names = "--skip-bad",
      description =
          "Passes over records that cannot be stored and counts them, instead of stopping.")
  private boolean skipBad;

  @Override
  public Integer call() {
    LoadOptions options = new LoadOptions(batch, inFlight, skipBad);
    LongAdder read = new LongAdder();
    try (RemoteCluster remote = cluster.connect()) {
      remote.get("/api/tables/" + RemoteCluster.part(table)); // a missing table is reported first
      long total = files.stream().mapToLong(LoadCommand::size).sum();
      Loader loader = new Loader(remote, table, options, LoadCommand::tellWaiting);
      report(loader.report(), load(loader, total, read));
    }
    return 0;
  }

  private static long size(Path file) {
    try {
      if (!Files.isRegularFile(file)) {
        throw new UniserveException(ErrorCode.NOT_FOUND, "there is no file " + file);
      }
      return Files.size(file);
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.INVALID_ARGUMENT,
          "cannot read " + file + ": " + UniserveException.reason(e),
          e);
    }
  }

  private static void tellWaiting(String why) {
    System.err.println("Waiting, and trying again: " + why);
  }

  private Duration load(Loader loader, long total, LongAdder read) {
    try (ProgressLine progress =
        new ProgressLine(
            System.err, Style.ofTerminal(), "records", total, read::sum, loader.report()::stored)) {
      files.forEach(file -> load(loader, file, read));
      loader.publish();
      return progress.elapsed();
    } catch (UniserveException e) {
      System.err.println(
          "Stopped; records stored before that: " + Figures.count(loader.report().stored()));
      throw e;
    }
  }

  private static void load(Loader loader, Path file, LongAdder read) {
    try (RowReader rows = open(file, read)) {
      loader.load(rows);
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.INVALID_ARGUMENT,
          "cannot read " + file + ": " + UniserveException.reason(e),
          e);
    }
  }

  private static RowReader open(Path file, LongAdder read) {
    return Plugins.rowFormat(FormattedRows.ending(file))
        .map(format -> FormattedRows.open(format, file, read::add))
        .orElseGet(() -> RowFile.open(file, read::add));
  }

  private void report(LoadReport report, Duration elapsed) {
    PrintStream out = System.out;
    double seconds = Math.max(1e-3, elapsed.toNanos() / 1e9);
    out.println(
        Figures.plural(report.stored(), "record")
            + " stored in "
            + table
            + " in "
            + Figures.duration(elapsed)
            + ", "
            + Figures.count(Math.round(report.stored() / seconds))
            + "/s");
    if (report.skipped() > 0) {
      out.println(Figures.plural(report.skipped(), "bad record") + " skipped, among them");
      report.examples().forEach(example -> out.println("  " + example));
    }
  }
}
