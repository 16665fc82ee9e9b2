package io.uniserve.bench.updates;

import io.uniserve.api.Consistency;
import io.uniserve.bench.load.ClosedLoop;
import io.uniserve.bench.measure.Contender;
import io.uniserve.bench.measure.Rounds;
import io.uniserve.bench.measure.Series;
import io.uniserve.bench.measure.Statistics;
import io.uniserve.bench.measure.Window;
import io.uniserve.bench.option.MeasureOptions;
import io.uniserve.bench.option.RunOptions;
import io.uniserve.bench.report.Figures;
import io.uniserve.bench.report.JsonFile;
import io.uniserve.bench.report.Machine;
import io.uniserve.bench.report.Table;
import io.uniserve.node.embedded.EmbeddedCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code bench updates}. */
@Command(
    name = "updates",
    mixinStandardHelpOptions = true,
    description = "What an update costs at each level, and updates of eight tables at once.")
public final class UpdatesCommand implements Callable<Integer> {
  private static final int SERVERS = 4;
  private static final int TABLES = 8;
  private static final String ONE = "serializable, 1 table, 1 client";

  @Mixin private RunOptions run = new RunOptions();

  @Mixin private MeasureOptions measureOptions = new MeasureOptions();

  @Override
  public Integer call() {
    Path directory = run.newDirectory("updates");
    Map<String, Series> series = measure(directory.resolve("cluster"));
    String report = report(series);
    run.publish("updates", report);
    JsonFile.write(directory.resolve("updates.json"), JsonFile.of(series));
    return 0;
  }

  private Map<String, Series> measure(Path directory) {
    try (EmbeddedCluster cluster = EmbeddedCluster.start(directory, SERVERS, new TallyEngine())) {
      List<TallyTable> serializable = new ArrayList<>();
      for (int i = 0; i < TABLES; i++) {
        serializable.add(
            new TallyTable(cluster.client(), "serializable" + i, Consistency.SERIALIZABLE));
      }
      TallyTable eventual = new TallyTable(cluster.client(), "eventual", Consistency.EVENTUAL);
      TallyTable snapshot = new TallyTable(cluster.client(), "snapshot", Consistency.SNAPSHOT);
      TallyTable ordered = new TallyTable(cluster.client(), "ordered", Consistency.ORDERED);
      TallyTable first = serializable.getFirst();
      Map<String, Series> series =
          Rounds.measure(
              List.of(
                  contender(ONE, List.of(first)),
                  contender("snapshot, 1 table, 1 client", List.of(snapshot)),
                  contender("eventual, on all copies, 1 table, 1 client", List.of(eventual)),
                  contender("ordered, 1 table, 1 client", List.of(ordered)),
                  contender(
                      "ordered, 1 table, %d clients".formatted(TABLES),
                      Collections.nCopies(TABLES, ordered)),
                  contender(
                      "serializable, 1 table, %d clients".formatted(TABLES),
                      Collections.nCopies(TABLES, first)),
                  contender(
                      "serializable, %d tables, a client each".formatted(TABLES), serializable)),
              measureOptions.plan(run.quick()));
      serializable.forEach(TallyTable::check);
      eventual.check();
      snapshot.check();
      ordered.check();
      return series;
    }
  }

  private static Contender contender(String name, List<TallyTable> tables) {
    return new Contender(
        name, ProcessHandle.current().pid(), time -> ClosedLoop.run(1, tables, time));
  }

  private static String report(Map<String, Series> series) {
    Table table =
        new Table("updates", "p50", "p99", "updates/s", "CPU/update", "rate : first", "windows");
    series.forEach((name, one) -> add(table, name, one, series.get(ONE)));
    return """
    - Machine: %s
    - Java: %s
    - An embedded cluster: a controller whose log is on disk, %d servers; tables of %d actors with %d copies; each update changes every actor
    - An update is acknowledged when every copy shows it; at the end every table was found to have each exactly once

    %s
    """
        .formatted(
            Machine.describe(),
            Machine.java(),
            SERVERS,
            TallyTable.ACTORS,
            TallyTable.COPIES,
            table);
  }

  private static void add(Table table, String name, Series one, Series first) {
    String windows = "%d (%d noisy)".formatted(one.accepted().size(), one.rejected());
    if (one.isEmpty() || first.isEmpty()) {
      table.add(name, "-", "-", "-", "-", "-", windows);
      return;
    }
    table.add(
        name,
        Figures.millis(one.latencyNanos(0.5)),
        Figures.millis(one.latencyNanos(0.99)),
        Figures.spread(one.queriesPerSecond()),
        Figures.millis(one.serverCpuNanosPerQuery().median()),
        ratio(one, first),
        windows);
  }

  private static String ratio(Series one, Series first) {
    List<Double> ratios = one.ratios(first, Window::queriesPerSecond);
    return ratios.isEmpty() ? "-" : Figures.spread(Statistics.spread(ratios));
  }
}
