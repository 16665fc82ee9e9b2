package io.uniserve.bench.search;

import io.uniserve.bench.measure.Series;
import io.uniserve.bench.measure.Spread;
import io.uniserve.bench.measure.Statistics;
import io.uniserve.bench.measure.Window;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The measurements of one workload with one number of clients.
 *
 * @param series the series by name of the system, in the order of the systems
 */
public record SearchRow(String workload, int clients, Map<String, Series> series) {

  /**
   * Returns this row together with the measurements of a later life of each process.
   *
   * @param rounds see {@link Series#and}
   */
  SearchRow and(SearchRow later, int rounds) {
    Map<String, Series> both = new LinkedHashMap<>();
    series.forEach((name, windows) -> both.put(name, windows.and(later.series.get(name), rounds)));
    return new SearchRow(workload, clients, both);
  }

  /**
   * Returns the throughput of one system relative to another, round by round; empty if no round has
   * both.
   */
  public Optional<Spread> throughputRatio(String system, String other) {
    return ratio(system, other, Window::queriesPerSecond);
  }

  /**
   * Returns the server CPU per query of one system relative to another, round by round; empty if no
   * round has both.
   */
  public Optional<Spread> cpuRatio(String system, String other) {
    return ratio(system, other, Window::serverCpuNanosPerQuery);
  }

  private Optional<Spread> ratio(String system, String other, ToDoubleFunction<Window> value) {
    if (!series.containsKey(system) || !series.containsKey(other)) {
      return Optional.empty();
    }
    List<Double> ratios = series.get(system).ratios(series.get(other), value);
    return ratios.isEmpty() ? Optional.empty() : Optional.of(Statistics.spread(ratios));
  }
}
