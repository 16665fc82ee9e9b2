package io.uniserve.bench.ordered;

import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.bench.report.Figures;
import io.uniserve.runtime.client.ReadLevel;
import io.uniserve.simulation.plot.Axis;
import io.uniserve.simulation.plot.Chart;
import io.uniserve.simulation.plot.Series;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;

/** Figure 9: reads a second by the number of storage processes, of each level. */
final class ReadScaling implements Experiment {
  private static final List<Integer> PROCESSES = List.of(1, 2, 4, 8, 16);
  private static final int COPIES = 3;
  private static final long KEYS = 100_000;
  private static final double AS_HIGH = 0.75;

  /** Rates by level and number of processes. */
  private static final class Rates {
    private final Map<ReadLevel, Map<Integer, Double>> rates = new EnumMap<>(ReadLevel.class);

    void put(ReadLevel level, int processes, double rate) {
      rates.computeIfAbsent(level, each -> new TreeMap<>()).put(processes, rate);
    }

    double of(ReadLevel level, int processes) {
      return rates.get(level).get(processes);
    }

    String chart(String title) {
      List<Series> series = new ArrayList<>();
      rates.forEach((level, some) -> series.add(Scaling.line(name(level), some)));
      return new Chart(
              title, Axis.logarithmic("storage processes"), Axis.linear("reads a second"), series)
          .svg();
    }
  }

  @Override
  public String name() {
    return "9";
  }

  @Override
  public Result run(Conditions conditions) {
    List<Integer> processes = conditions.some(PROCESSES);
    Rates keyed = new Rates();
    Rates global = new Rates();
    for (int count : processes) {
      Conditions own = conditions.in("reads-" + count);
      int copies = Math.min(COPIES, count);
      try (StorageCluster cluster =
          StorageCluster.start(own.directory(), count, new Partitioner.Hash(count), copies, 0)) {
        for (ReadLevel level : ReadLevel.values()) {
          keyed.put(
              level,
              count,
              cluster.readsPerSecond(
                  own.time(),
                  () ->
                      cluster.read(
                          Keys.of(PartitionKey.of(ThreadLocalRandom.current().nextLong(KEYS))),
                          1,
                          level)));
          global.put(
              level,
              count,
              cluster.readsPerSecond(
                  own.time(), () -> cluster.read(Keys.ALL, 1.0 / copies, level)));
        }
      }
    }
    return result(keyed, global, processes.getLast());
  }

  private static String name(ReadLevel level) {
    return level.name().toLowerCase(Locale.ROOT);
  }

  private static Result result(Rates keyed, Rates global, int most) {
    List<Finding> findings = new ArrayList<>();
    for (ReadLevel level : ReadLevel.values()) {
      double ideal = StorageCluster.PROCESS_PER_SECOND * most;
      findings.add(
          new Finding(
              "%s reads of one key: linear, up to a limit of the protocol (sequential 25,000, snapshot 110,000, basic none)"
                  .formatted(name(level)),
              "%s with n = 1, %s with n = %d, of at most %s"
                  .formatted(
                      Figures.number(keyed.of(level, 1)),
                      Figures.number(keyed.of(level, most)),
                      most,
                      Figures.number(ideal)),
              keyed.of(level, most) >= AS_HIGH * ideal));
      double bound = StorageCluster.PROCESS_PER_SECOND * Math.min(COPIES, most);
      findings.add(
          new Finding(
              "%s reads without a key: close to f times the rate of one process%s"
                  .formatted(
                      name(level),
                      level == ReadLevel.SEQUENTIAL ? ", and less from n = 21 on" : ""),
              "%s with n = %d, of at most %s"
                  .formatted(Figures.number(global.of(level, most)), most, Figures.number(bound)),
              global.of(level, most) >= AS_HIGH * bound));
    }
    Map<String, String> plots = new LinkedHashMap<>();
    plots.put(
        "ordered-figure-9-hash.svg",
        keyed.chart("Figure 9: reads of one key, f = 3, by storage processes"));
    plots.put(
        "ordered-figure-9-random.svg",
        global.chart("Figure 9: reads without a key, f = 3, by storage processes"));
    return new Result(
        "Three copies; six readers for each process, which wait for each answer", findings, plots);
  }
}
