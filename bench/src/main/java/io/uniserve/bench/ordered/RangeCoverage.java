package io.uniserve.bench.ordered;

import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.bench.report.Figures;
import io.uniserve.runtime.client.ReadLevel;
import io.uniserve.simulation.plot.Axis;
import io.uniserve.simulation.plot.Chart;
import io.uniserve.simulation.plot.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;

/** Figure 10: reads and writes of a range of keys, by the part of all keys that it covers. */
final class RangeCoverage implements Experiment {
  private static final int PROCESSES = 16;
  private static final int COPIES = 3;
  private static final List<Double> COVERAGES = List.of(0.0, 0.25, 0.5, 0.75, 1.0);
  private static final double AS_HIGH = 0.7;

  @Override
  public String name() {
    return "10";
  }

  @Override
  public Result run(Conditions conditions) {
    Conditions own = conditions.in("ranges");
    Map<String, Map<Double, Double>> rates = new LinkedHashMap<>();
    try (StorageCluster cluster =
        StorageCluster.start(
            own.directory(), PROCESSES, StorageCluster.ranges(PROCESSES), COPIES, 0)) {
      for (double coverage : COVERAGES) {
        int parts = parts(coverage);
        put(
            rates,
            "writes",
            coverage,
            cluster.writesPerSecond(
                own.time(),
                session -> StorageCluster.write(session, shareOfWrite(parts), places(parts))));
        for (ReadLevel level : ReadLevel.values()) {
          put(
              rates,
              level.name().toLowerCase(Locale.ROOT) + " reads",
              coverage,
              cluster.readsPerSecond(
                  own.time(), () -> cluster.read(keys(parts), shareOfRead(parts), level)));
        }
      }
    }
    return result(rates);
  }

  private static void put(
      Map<String, Map<Double, Double>> rates, String kind, double coverage, double rate) {
    rates.computeIfAbsent(kind, each -> new TreeMap<>()).put(coverage, rate);
  }

  private static int parts(double coverage) {
    return Math.max(1, (int) Math.round(coverage * PROCESSES));
  }

  private static long first(int parts) {
    return ThreadLocalRandom.current().nextLong(PROCESSES - parts + 1L);
  }

  private static List<StorageEngine.Place> places(int parts) {
    long first = first(parts);
    return LongStream.range(first, first + parts).mapToObj(StorageEngine.Place::new).toList();
  }

  private static Keys keys(int parts) {
    long first = first(parts);
    return new Keys.Range(
        Optional.of(PartitionKey.of(first)), Optional.of(PartitionKey.of(first + parts)));
  }

  /** Returns the number of processes on a ring that have copies of neighbouring parts. */
  private static int processesOfWrite(int parts) {
    return Math.min(PROCESSES, parts + COPIES - 1);
  }

  /** Returns the number of processes that have a copy of each of neighbouring parts. */
  private static int processesOfRead(int parts) {
    return (parts + COPIES - 1) / COPIES;
  }

  /** Returns what each copy of each part takes, so that they take what the paper's take. */
  private static double shareOfWrite(int parts) {
    return (double) processesOfWrite(parts) / (parts * COPIES);
  }

  private static double shareOfRead(int parts) {
    return (double) processesOfRead(parts) / parts;
  }

  private static Result result(Map<String, Map<Double, Double>> rates) {
    List<Finding> findings = new ArrayList<>();
    rates.forEach(
        (kind, byCoverage) -> {
          boolean reads = !kind.equals("writes");
          boolean holds = true;
          List<String> measured = new ArrayList<>();
          for (Map.Entry<Double, Double> one : byCoverage.entrySet()) {
            int parts = parts(one.getKey());
            int concerned = reads ? processesOfRead(parts) : processesOfWrite(parts);
            double bound = StorageCluster.PROCESS_PER_SECOND * PROCESSES / concerned;
            holds &= one.getValue() >= AS_HIGH * bound;
            measured.add(
                "c = %s: %s of %s"
                    .formatted(
                        one.getKey(), Figures.number(one.getValue()), Figures.number(bound)));
          }
          findings.add(
              new Finding(
                  kind + " go to as few processes as hold the range: throughput falls gracefully",
                  String.join(", ", measured),
                  holds));
        });
    List<Series> series = new ArrayList<>();
    rates.forEach((kind, byCoverage) -> series.add(Scaling.line(kind, byCoverage)));
    Chart chart =
        new Chart(
            "Figure 10: reads and writes of ranges, 16 storage processes, f = 3",
            Axis.linear("coverage of the range"),
            Axis.linear("a second"),
            series);
    return new Result(
        "16 processes (the paper: 32), three copies, partitioned by ranges; a write names a key of each part that it concerns, since sessions take no ranges",
        findings,
        Map.of("ordered-figure-10.svg", chart.svg()));
  }
}
