package io.uniserve.bench.overhead;

import io.uniserve.bench.measure.Latencies;
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

/**
 * The table of the overhead benchmark, which shows each way of asking beside the first, bare one.
 */
final class OverheadReport {

  private static final String NONE = "-";

  private OverheadReport() {}

  /**
   * @param series the series by the way of asking; the others are compared with the first
   */
  static Table of(Map<String, Series> series) {
    String bare = series.keySet().iterator().next();
    Table table = new Table("call", "p50", "p99", "calls/s", "median over " + bare, "windows");
    series.forEach((name, one) -> add(table, name, one, series.get(bare)));
    return table;
  }

  private static void add(Table table, String name, Series one, Series bare) {
    String windows = "%d (%d noisy)".formatted(one.accepted().size(), one.rejected());
    if (one.isEmpty()) {
      table.add(name, NONE, NONE, NONE, NONE, windows);
      return;
    }
    table.add(
        name,
        Figures.micros(one.latencyNanos(0.5)),
        Figures.micros(one.latencyNanos(0.99)),
        Figures.spread(one.queriesPerSecond()),
        difference(one, bare).map(OverheadReport::micros).orElse(NONE),
        windows);
  }

  /**
   * Returns by how many nanoseconds the median latency is greater, in each round that both have.
   */
  static Optional<Spread> difference(Series one, Series bare) {
    List<Double> differences = new ArrayList<>();
    for (Window window : one.accepted()) {
      for (Window opposite : bare.accepted()) {
        if (window.round() == opposite.round()) {
          differences.add(median(window) - median(opposite));
        }
      }
    }
    return differences.isEmpty() ? Optional.empty() : Optional.of(Statistics.spread(differences));
  }

  private static double median(Window window) {
    return Statistics.percentile(Latencies.sorted(List.of(window.latencies())), 0.5);
  }

  private static String micros(Spread nanos) {
    return "%s (%s-%s)"
        .formatted(
            Figures.micros(nanos.median()),
            Figures.micros(nanos.least()),
            Figures.micros(nanos.greatest()));
  }
}
