package io.uniserve.bench.olap;

import io.uniserve.bench.option.MeasureOptions;
import io.uniserve.bench.option.RunOptions;
import io.uniserve.bench.report.Machine;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench olap}. */
@Command(
    name = "olap",
    mixinStandardHelpOptions = true,
    description = "OLAP: Druid's queries, updates, hotspots and failures, beside a real Druid.")
public final class OlapCommand implements Callable<Integer> {
  /** The length of a window: a query takes up to two seconds. */
  private static final double WINDOW_SECONDS = 4;

  @Mixin private RunOptions run = new RunOptions();

  @Mixin
  private MeasureOptions measureOptions =
      new MeasureOptions(WINDOW_SECONDS, Duration.ofSeconds(20));

  @Option(
      names = "--short",
      description = "A quarter of an hour: less data, fewer windows, sizes and shares.")
  private boolean brief;

  @Option(names = "--scale", description = "Another scale factor of queries and updates.")
  private Double scale;

  @Option(
      names = "--parts",
      split = ",",
      description = "Any of ${COMPLETION-CANDIDATES}. Default: all.")
  private List<Part> parts = List.of(Part.values());

  @Option(names = "--clients", description = "Of hotspots. Default: ${DEFAULT-VALUE}.")
  private int clients = 12;

  /** A part of the benchmark. */
  enum Part {
    /** Figure 5. */
    QUERIES,
    /** Figure 8. */
    UPDATES,
    /** Figure 9. */
    HOTSPOTS,
    /** Figure 11. */
    FAILURES
  }

  @Override
  public Integer call() throws IOException {
    PrintStream progress = System.err;
    Path parent = run.parentDirectory();
    Path directory = run.newDirectory("olap");
    Extent extent = extent();
    if (parts.contains(Part.QUERIES) || parts.contains(Part.UPDATES)) {
      queries(parent, directory, extent, progress);
    }
    Lineitems rows = Lineitems.all(extent.slicesScale(), parent, progress);
    boolean clean = true;
    if (parts.contains(Part.HOTSPOTS)) {
      HotspotPart part = new HotspotPart(rows, extent, clients);
      part.run(directory, progress);
      publish(
          "olap-hotspots",
          conditions(
              rows,
              "four servers of one computing thread each; slices of four months, %d clients. Windows are not thrown away"
                  .formatted(clients)),
          part.report("olap-hotspots.svg"),
          part.plot().svg());
    }
    if (parts.contains(Part.FAILURES)) {
      FailuresPart part = new FailuresPart(rows, extent.failure());
      part.run(directory, progress);
      publish(
          "olap-failures",
          conditions(
              rows,
              "500 queries a minute (sum_all); four servers, two copies of everything, of which one is killed"),
          part.report("olap-failures.svg"),
          part.plot().svg());
      clean = part.clean();
    }
    progress.println("logs are in " + directory);
    return clean ? 0 : 1;
  }

  private Extent extent() {
    if (run.quick()) {
      return Extent.quick(measureOptions);
    }
    return brief ? Extent.brief(measureOptions) : Extent.whole(measureOptions);
  }

  private void queries(Path parent, Path directory, Extent extent, PrintStream progress)
      throws IOException {
    double factor = scale == null ? extent.scale() : scale;
    Lineitems rows = Lineitems.all(factor, parent, progress);
    try (OlapSides sides = OlapSides.start(directory, parent, rows, factor, progress)) {
      if (parts.contains(Part.QUERIES)) {
        QueriesPart part = new QueriesPart(sides, extent.plan(), progress);
        part.run();
        publish(
            "olap-queries",
            conditions(
                rows,
                "Uniserve: an embedded cluster of four servers in one process, 4 actors, one copy; Druid 33.0.0: ZooKeeper, coordinator and overlord, one historical of two threads, broker, indexer; both over HTTP, nothing is cached. The bare engine: Druid's segments and engine in one process with two threads, without HTTP. DuckDB: one database, two threads, doubles, without HTTP. A window in which other processes took more than %s cores is thrown away"
                    .formatted(extent.plan().foreignCoresMax())),
            part.report("olap-queries.svg"),
            part.plot().svg());
      }
      if (parts.contains(Part.UPDATES)) {
        UpdatesPart part = new UpdatesPart(sides, extent.megabytes(), extent.repetitions());
        part.run(parent, progress);
        publish(
            "olap-updates",
            conditions(
                rows,
                "the same `index_parallel` task for both, with a local file of values with tabs between them; from the request until a query counts all rows"),
            part.report("olap-updates.svg"),
            part.plot().svg());
      }
    }
  }

  private String conditions(Lineitems rows, String how) {
    List<String> lines = new ArrayList<>();
    if (run.quick()) {
      lines.add("Smoke run: proves no figure");
    } else if (brief) {
      lines.add("A short run (`--short`)");
    }
    lines.add("Machine: " + Machine.describe());
    lines.add("Java: " + Machine.java() + "; Druid on Java 17");
    lines.add("Data: TPC-H lineitem without comments, %,d rows, doubles".formatted(rows.rows()));
    lines.add("How: " + how);
    return "- " + String.join("\n- ", lines);
  }

  private void publish(String name, String conditions, String report, String svg)
      throws IOException {
    run.publish(name, conditions + "\n\n" + report);
    if (run.docs()) {
      Files.writeString(run.pages().resolve(name + ".svg"), svg);
    }
  }
}
