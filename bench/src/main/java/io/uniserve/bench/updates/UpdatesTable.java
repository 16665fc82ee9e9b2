package io.uniserve.bench.updates;

import io.uniserve.bench.measure.Series;
import io.uniserve.bench.measure.Spread;
import io.uniserve.bench.measure.Statistics;
import io.uniserve.bench.measure.Window;
import io.uniserve.bench.report.Figures;
import io.uniserve.bench.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The table of what was measured: a row for each kind of update, with columns for its clients. */
final class UpdatesTable {
  private static final String NONE = "-";
  private static final List<Integer> CLIENTS = List.of(1, 8, 64);

  private final Map<String, Series> series;
  private final Optional<Workload> bare;
  private final Table table =
      new Table(
          "update",
          "1 client, per second",
          "8 clients",
          "64 clients",
          "p50, p99 of 1",
          "p50, p99 of 8",
          "CPU of 1",
          "CPU of 8",
          "over the engine's own",
          "windows");

  /**
   * @param bare the workload of the engine alone, if it was measured
   */
  UpdatesTable(Map<String, Series> series, Optional<Workload> bare) {
    this.series = series;
    this.bare = bare;
  }

  void add(Workload workload) {
    List<String> cells = new ArrayList<>(List.of(workload.name()));
    CLIENTS.forEach(count -> cells.add(rate(of(workload, count))));
    cells.add(latencies(of(workload, 1)));
    cells.add(latencies(of(workload, 8)));
    cells.add(cpu(of(workload, 1)));
    cells.add(cpu(of(workload, 8)));
    cells.add(over(workload));
    cells.add(windows(workload));
    table.add(cells.toArray(String[]::new));
  }

  private Optional<Series> of(Workload workload, int clients) {
    return Optional.ofNullable(series.get(workload.measured(clients)))
        .filter(one -> !one.isEmpty());
  }

  private static String rate(Optional<Series> one) {
    return one.map(Series::queriesPerSecond).map(Figures::spread).orElse(NONE);
  }

  private static String latencies(Optional<Series> one) {
    return one.map(
            of ->
                "%s, %s"
                    .formatted(
                        Figures.millis(of.latencyNanos(0.5)),
                        Figures.millis(of.latencyNanos(0.99))))
        .orElse(NONE);
  }

  private static String cpu(Optional<Series> one) {
    return one.map(of -> Figures.micros(of.serverCpuNanosPerQuery().median())).orElse(NONE);
  }

  /** Returns how much more CPU time an update of the fewest clients needs than the bare engine. */
  private String over(Workload workload) {
    if (!workload.isPut() || bare.isEmpty()) {
      return NONE;
    }
    Optional<Series> engine = of(bare.get(), 1);
    Optional<Series> one = of(workload, workload.clients().getFirst());
    return engine.flatMap(own -> one.flatMap(more -> difference(more, own))).orElse(NONE);
  }

  private static Optional<String> difference(Series more, Series own) {
    List<Double> differences = new ArrayList<>();
    for (Window window : more.accepted()) {
      differences.add(window.serverCpuNanosPerQuery() - own.serverCpuNanosPerQuery().median());
    }
    Spread spread = Statistics.spread(differences);
    return Optional.of(
        "%s (%s-%s)"
            .formatted(
                Figures.micros(spread.median()),
                Figures.micros(spread.least()),
                Figures.micros(spread.greatest())));
  }

  private String windows(Workload workload) {
    int accepted = Integer.MAX_VALUE;
    int rejected = 0;
    for (int clients : workload.clients()) {
      Series one = series.get(workload.measured(clients));
      accepted = Math.min(accepted, one.accepted().size());
      rejected += one.rejected();
    }
    return "%d (%d noisy)".formatted(accepted, rejected);
  }

  @Override
  public String toString() {
    return table.toString();
  }
}
