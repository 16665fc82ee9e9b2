package io.uniserve.bench.tpch;

import io.uniserve.bench.measure.Latencies;
import io.uniserve.bench.measure.Series;
import io.uniserve.bench.measure.Spread;
import io.uniserve.bench.measure.Statistics;
import io.uniserve.bench.measure.Window;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One query as each system ran it.
 *
 * @param query its number
 * @param series the series by the systems' titles; a system that did not answer correctly is
 *     missing
 */
record TpchRow(int query, Map<String, Series> series) {

  /** Returns the median time of a query in nanoseconds. */
  Optional<Double> nanos(String system) {
    return of(system).map(one -> (double) one.latencyNanos(0.5));
  }

  /** Returns the median over windows of the CPU time of one query in nanoseconds. */
  Optional<Double> cpuNanos(String system) {
    return of(system).map(one -> one.serverCpuNanosPerQuery().median());
  }

  private Optional<Series> of(String system) {
    return Optional.ofNullable(series.get(system)).filter(one -> !one.isEmpty());
  }

  /** Returns the time of one system divided by that of another, within a round. */
  Optional<Spread> timeRatio(String system, String other) {
    if (!series.containsKey(system) || !series.containsKey(other)) {
      return Optional.empty();
    }
    List<Double> ratios = series.get(system).ratios(series.get(other), TpchRow::median);
    return ratios.isEmpty() ? Optional.empty() : Optional.of(Statistics.spread(ratios));
  }

  private static double median(Window window) {
    return Statistics.percentile(Latencies.sorted(List.of(window.latencies())), 0.5);
  }
}
