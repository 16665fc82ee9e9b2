package io.uniserve.bench.ordered;

import io.uniserve.api.partition.Partitioner;
import io.uniserve.bench.report.Figures;
import io.uniserve.simulation.plot.Axis;
import io.uniserve.simulation.plot.Chart;
import io.uniserve.simulation.plot.Series;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;

/** Figure 8: writes a second by the number of storage processes and of copies. */
final class WriteScaling implements Experiment {
  private static final List<Integer> PROCESSES = List.of(1, 2, 4, 8, 16);
  private static final List<Integer> COPIES = List.of(1, 3, 5);
  private static final long KEYS = 100_000;

  /** A rate that is at least this share of another is as high. */
  private static final double AS_HIGH = 0.75;

  /** Storage processes, and the copies of each part. No more copies can be made than processes. */
  private record Cluster(int processes, int copies) {}

  @Override
  public String name() {
    return "8";
  }

  @Override
  public Result run(Conditions conditions) {
    List<Integer> processes = conditions.some(PROCESSES);
    Map<Cluster, Double> measured = new HashMap<>();
    Map<Integer, Map<Integer, Double>> byCopies = new TreeMap<>();
    for (int copies : COPIES) {
      Map<Integer, Double> rates = new TreeMap<>();
      for (int count : processes) {
        int made = Math.min(copies, count);
        rates.put(
            count,
            measured.computeIfAbsent(
                new Cluster(count, made), cluster -> keyed(conditions, cluster)));
      }
      byCopies.put(copies, rates);
    }
    Map<Integer, Double> global = new TreeMap<>();
    processes.forEach(count -> global.put(count, global(conditions, count)));
    return result(byCopies, global, processes);
  }

  private static double keyed(Conditions conditions, Cluster cluster) {
    Conditions own = conditions.in("writes-" + cluster.processes() + "-" + cluster.copies());
    Partitioner partitioner = new Partitioner.Hash(cluster.processes());
    try (StorageCluster started =
        StorageCluster.start(
            own.directory(), cluster.processes(), partitioner, cluster.copies(), 0)) {
      return started.writesPerSecond(
          own.time(),
          session ->
              StorageCluster.write(
                  session,
                  1,
                  List.of(new StorageEngine.Place(ThreadLocalRandom.current().nextLong(KEYS)))));
    }
  }

  /**
   * Returns the rate of writes that every process has to execute, whatever copies there are: one
   * part of one copy on each is as good.
   */
  private static double global(Conditions conditions, int count) {
    Conditions own = conditions.in("writes-all-" + count);
    try (StorageCluster cluster =
        StorageCluster.start(own.directory(), count, new Partitioner.Hash(count), 1, 0)) {
      return cluster.writesPerSecond(own.time(), session -> StorageCluster.writeAll(session, 1));
    }
  }

  private static Result result(
      Map<Integer, Map<Integer, Double>> byCopies,
      Map<Integer, Double> global,
      List<Integer> processes) {
    int most = processes.getLast();
    List<Finding> findings = new ArrayList<>();
    double one = byCopies.get(1).get(1);
    findings.add(
        new Finding(
            "One process: 5,500 a second, which is what its engine does",
            Figures.number(one) + " a second, of 100 by the engine's fixed time",
            one >= AS_HIGH * StorageCluster.PROCESS_PER_SECOND));
    byCopies.forEach(
        (copies, rates) -> {
          double ideal = StorageCluster.PROCESS_PER_SECOND * most / Math.min(copies, most);
          findings.add(
              new Finding(
                  "f = %d: throughput grows linearly from n = f on, until the routers are at their limit (20,000 a second)"
                      .formatted(copies),
                  "%s a second with n = %d, of at most %s"
                      .formatted(Figures.number(rates.get(most)), most, Figures.number(ideal)),
                  rates.get(most) >= AS_HIGH * ideal));
        });
    double least = global.values().stream().mapToDouble(rate -> rate).min().orElse(0);
    findings.add(
        new Finding(
            "f = n, or writes without a key: 5,000 a second up to n = 16, as one process does",
            "%s with n = 1, %s with n = %d"
                .formatted(
                    Figures.number(global.get(processes.getFirst())),
                    Figures.number(global.get(most)),
                    most),
            least >= AS_HIGH * StorageCluster.PROCESS_PER_SECOND));
    List<Series> series = new ArrayList<>();
    byCopies.forEach((copies, rates) -> series.add(Scaling.line("f = " + copies, rates)));
    series.add(Scaling.line("f = n", global));
    Chart chart =
        new Chart(
            "Figure 8: writes by storage processes, each of which does 100 operations a second",
            Axis.logarithmic("storage processes"),
            Axis.linear("writes a second"),
            series);
    return new Result(
        "One session, whose writes have one key, or none (f = n)",
        findings,
        Map.of("ordered-figure-8.svg", chart.svg()));
  }
}
