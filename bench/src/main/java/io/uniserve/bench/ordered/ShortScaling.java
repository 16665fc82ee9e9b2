package io.uniserve.bench.ordered;

import io.uniserve.bench.report.Figures;
import io.uniserve.simulation.plot.Axis;
import io.uniserve.simulation.plot.Chart;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Section 6.6: writes a second on the short way by the number of storage processes. */
final class ShortScaling implements Experiment {
  private static final List<Integer> PROCESSES = List.of(1, 2, 4, 8, 16);

  /** A rate that is at least this share of another is as high. */
  private static final double AS_HIGH = 0.75;

  @Override
  public String name() {
    return "6.6";
  }

  @Override
  public Result run(Conditions conditions) {
    List<Integer> processes = conditions.some(PROCESSES);
    Map<Integer, Double> rates = new TreeMap<>();
    processes.forEach(count -> rates.put(count, rate(conditions, count)));
    int most = processes.getLast();
    double ideal = StorageCluster.PROCESS_PER_SECOND * most;
    Finding finding =
        new Finding(
            "Proposed, and not built: single-key operations need not pass the routers, so they grow with the processes",
            "%s a second with n = 1, %s with n = %d, of at most %s"
                .formatted(
                    Figures.number(rates.get(1)),
                    Figures.number(rates.get(most)),
                    most,
                    Figures.number(ideal)),
            rates.get(most) >= AS_HIGH * ideal);
    Chart chart =
        new Chart(
            "The short way by storage processes, each of which does 100 operations a second",
            Axis.logarithmic("storage processes"),
            Axis.linear("writes a second"),
            List.of(Scaling.line("short way", rates)));
    return new Result(
        "One session for each part, whose writes all have the key of that part; one copy of each",
        List.of(finding),
        Map.of("ordered-figure-6.6.svg", chart.svg()));
  }

  private static double rate(Conditions conditions, int count) {
    Conditions own = conditions.in("short-" + count);
    try (StorageCluster cluster =
        StorageCluster.start(own.directory(), count, StorageCluster.ranges(count), 1, 0)) {
      return cluster.shortWritesPerSecond(own.time());
    }
  }
}
