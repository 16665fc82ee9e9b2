package io.uniserve.bench.durability;

import io.uniserve.api.Durability;
import io.uniserve.bench.corpus.BenchDocument;
import io.uniserve.bench.corpus.Corpus;
import io.uniserve.bench.measure.Spread;
import io.uniserve.bench.measure.Statistics;
import io.uniserve.bench.report.Figures;
import io.uniserve.bench.report.Table;
import io.uniserve.bench.systems.SearchTable;
import io.uniserve.engines.search.SearchEngine;
import io.uniserve.node.embedded.EmbeddedCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Equal updates of one actor without durability, with asynchronous and with synchronous durability,
 * taking turns.
 */
final class UpdateCost {
  private static final int BATCH = 1_000;

  private final Map<String, SearchTable> tables = new LinkedHashMap<>();
  private final Map<String, List<Double>> nanos = new LinkedHashMap<>();
  private final long loadBytes;
  private final int warmUp;
  private final int rounds;
  private long updateBytes;
  private int updates;

  /**
   * @param loadBytes the size of the actor's files before the first update
   * @param warmUp the number of updates before the first one that counts
   * @param rounds the number of updates that count
   */
  UpdateCost(long loadBytes, int warmUp, int rounds) {
    this.loadBytes = loadBytes;
    this.warmUp = warmUp;
    this.rounds = rounds;
  }

  /** Measures, and returns the report. */
  String measure(Corpus corpus, Path directory) {
    try (EmbeddedCluster cluster = EmbeddedCluster.start(directory, 1, new SearchEngine())) {
      for (Durability durability : Durability.values()) {
        String name = durability.name().toLowerCase(java.util.Locale.ROOT);
        tables.put(name, new SearchTable(cluster.client(), name, 1, durability));
        nanos.put(name, new ArrayList<>());
      }
      corpus.forEachBatch(BATCH, this::take);
      return report();
    }
  }

  private void take(List<BenchDocument> batch) {
    if (tables.values().iterator().next().diskBytes() < loadBytes) {
      tables.values().forEach(table -> table.add(batch));
    } else if (updates < warmUp + rounds) {
      update(batch);
    }
  }

  private void update(List<BenchDocument> batch) {
    updateBytes = batch.stream().mapToLong(document -> document.body().length()).sum();
    boolean counts = updates++ >= warmUp;
    tables.forEach(
        (name, table) -> {
          long began = System.nanoTime();
          table.add(batch);
          if (counts) {
            nanos.get(name).add((double) (System.nanoTime() - began));
          }
        });
  }

  private String report() {
    String plain = nanos.keySet().iterator().next();
    Table report = new Table("durability", "median", "p90", "over " + plain);
    nanos.forEach(
        (name, times) -> {
          double[] sorted = times.stream().mapToDouble(Double::doubleValue).sorted().toArray();
          report.add(
              name,
              millis(sorted, 0.5),
              millis(sorted, 0.9),
              Figures.spread(ratio(times, nanos.get(plain))));
        });
    return "An actor of %s; updates of %,d documents, %s of text; %d of each, taking turns:%n%n%s"
        .formatted(megabytes(loadBytes), BATCH, megabytes(updateBytes), rounds, report);
  }

  private static Spread ratio(List<Double> times, List<Double> others) {
    List<Double> ratios = new ArrayList<>();
    int group = Math.max(1, times.size() / 5);
    for (int first = 0; first + group <= times.size(); first += group) {
      ratios.add(
          median(times.subList(first, first + group))
              / median(others.subList(first, first + group)));
    }
    return Statistics.spread(ratios);
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }

  private static String millis(double[] sorted, double quantile) {
    return "%.1f ms".formatted(sorted[(int) (quantile * (sorted.length - 1))] / 1e6);
  }

  static String megabytes(long bytes) {
    return "%,.1f MB".formatted(bytes / 1e6);
  }
}
