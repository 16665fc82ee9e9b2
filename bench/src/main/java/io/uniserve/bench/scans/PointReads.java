package io.uniserve.bench.scans;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.report.Table;
import io.uniserve.runtime.client.Scan;
import io.uniserve.runtime.client.ScanOptions;
import io.uniserve.runtime.server.base.ServerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Point queries alone, and beside four scans with K = 10 (§5.5). */
final class PointReads implements Experiment {
  private static final Duration SERVICE = Duration.ofMillis(5);
  private static final double PER_SECOND = 400;
  private static final int SCANS = 4;
  private static final int ROUNDS = 3;
  private static final double POINTS_MAX = 0.06;

  /** The difference of medians that is none, beside their spread. */
  private static final double SAME = 1.1;

  @Override
  public String name() {
    return "5.5";
  }

  @Override
  public Result run(Conditions conditions) {
    double seconds = conditions.quick() ? 1 : 8;
    List<Double> alone = new ArrayList<>();
    List<Double> beside = new ArrayList<>();
    try (PacedTable table = conditions.table(ServerSettings.GRANTS)) {
      reads(table, 1, 0); // warms up
      for (int round = 0; round < (conditions.quick() ? 1 : ROUNDS); round++) {
        alone.addAll(reads(table, seconds, 2 * round));
        List<Scan> scans = new ArrayList<>();
        try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
          for (int i = 0; i < SCANS; i++) {
            scans.add(everything(table));
          }
          scans.forEach(scan -> readers.submit(() -> drain(scan)));
          beside.addAll(reads(table, seconds, 2 * round + 1));
          scans.forEach(Scan::close);
        }
      }
    }
    double median = quantile(alone, 0.5);
    double besideMedian = quantile(beside, 0.5);
    double over = over(alone, 2 * median);
    double besideOver = over(beside, 2 * median);
    Table figures = new Table("", "median, ms", "over twice the median alone", "p99, ms");
    figures.add("alone", millis(median), share(over), millis(quantile(alone, 0.99)));
    figures.add(
        "beside four scans with K = 10",
        millis(besideMedian),
        share(besideOver),
        millis(quantile(beside, 0.99)));
    return new Result(
        String.format(
                Locale.ROOT,
                "### Beside point queries (§5.5)\n\n%.0f queries a second arrive by chance, each of which takes a thread %d ms. A server has two threads, and scans read with one of them.\n\n",
                PER_SECOND,
                SERVICE.toMillis())
            + figures,
        List.of(
            new Claim(
                "§5.5",
                "the median stays",
                millis(median) + " ms, " + millis(besideMedian) + " ms",
                besideMedian <= SAME * median),
            new Claim(
                "§5.5",
                "the share over twice the median is up by at most 6 points",
                share(over) + ", " + share(besideOver),
                besideOver - over <= POINTS_MAX)));
  }

  private static Scan everything(PacedTable table) {
    ScanOptions options = PacedTable.options(Optional.of(PacedTable.SERVERS), 4);
    return table.scan(0, PacedTable.PARTITIONS, 60, options);
  }

  private static void drain(Scan scan) {
    try {
      Optional<?> blocks = scan.nextBlocks();
      while (blocks.isPresent()) {
        blocks = scan.nextBlocks();
      }
      throw new BenchException("A scan ended while point queries were measured");
    } catch (io.uniserve.api.error.UniserveException e) {
      if (e.code() != io.uniserve.api.error.ErrorCode.CANCELLED) {
        throw e;
      }
    }
  }

  /** Returns the latencies of queries that arrive by chance, in seconds. */
  private static List<Double> reads(PacedTable table, double seconds, int seed) {
    RandomGenerator random = RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(seed);
    List<Double> latencies = Collections.synchronizedList(new ArrayList<>());
    long began = System.nanoTime();
    double at = 0;
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      while (at < seconds) {
        at += random.nextExponential() / PER_SECOND;
        Pause.nanos(began + (long) (at * 1e9) - System.nanoTime());
        int partition = random.nextInt(PacedTable.PARTITIONS);
        clients.submit(
            () -> {
              long asked = System.nanoTime();
              table.readPoint(partition, SERVICE);
              latencies.add((System.nanoTime() - asked) / 1e9);
            });
      }
    }
    return List.copyOf(latencies);
  }

  private static double quantile(List<Double> values, double share) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get((int) Math.min(sorted.size() - 1, sorted.size() * share));
  }

  private static double over(List<Double> values, double bound) {
    return (double) values.stream().filter(value -> value > bound).count() / values.size();
  }

  private static String millis(double seconds) {
    return Numbers.one(1_000 * seconds);
  }

  private static String share(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }
}
