package io.uniserve.bench.ranges;

import io.uniserve.bench.corpus.Corpus;
import io.uniserve.bench.option.CorpusOptions;
import io.uniserve.bench.option.RunOptions;
import io.uniserve.bench.ranges.Trials.Reduction;
import io.uniserve.bench.ranges.Trials.Trial;
import io.uniserve.bench.report.JsonFile;
import io.uniserve.bench.report.Machine;
import io.uniserve.bench.report.Table;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench ranges}. */
@Command(
    name = "ranges",
    mixinStandardHelpOptions = true,
    description = "Latency of searches over neighbouring actors, as policies place these.")
public final class RangesCommand implements Callable<Integer> {
  private static final List<String> POLICIES = List.of("nlb", "greedy", "podp");
  private static final long DOCUMENTS = 100_000;
  private static final long QUICK_DOCUMENTS = 8_000;
  private static final int CALIBRATING_CLIENTS = 4;

  @Mixin private RunOptions run = new RunOptions();

  @Mixin private CorpusOptions corpusOptions;

  @Option(names = "--trials", description = "Random fills. Default: ${DEFAULT-VALUE}.")
  private int trials = 10;

  @Option(
      names = "--load",
      description = "Arrivals as a share of the highest throughput. Default: ${DEFAULT-VALUE}.")
  private double load = 0.5;

  @Option(names = "--seconds", description = "Length of a window. Default: ${DEFAULT-VALUE}.")
  private int seconds = 12;

  @Override
  public Integer call() {
    int fills = run.quick() ? 2 : trials;
    Path directory = run.newDirectory("ranges");
    long documents = run.quick() ? QUICK_DOCUMENTS : DOCUMENTS;
    Corpus corpus = Corpus.wikipedia(corpusOptions.data(), documents);
    Trials results = new Trials();
    double perSecond;
    System.err.println("loading ...");
    try (RangeTable table = new RangeTable(directory, corpus, documents)) {
      perSecond = load * throughput(table);
      for (int fill = 0; fill < fills; fill++) {
        List<String> order = new ArrayList<>(POLICIES);
        Collections.rotate(order, fill);
        for (String policy : order) {
          System.err.printf("fill %d of %d, %s ...%n", fill + 1, fills, policy);
          results.add(policy, trial(table, policy, fill, perSecond));
        }
        JsonFile.write(directory.resolve("ranges.json"), results.byPolicy());
      }
    }
    String report = report(results, fills, documents, perSecond);
    run.publish("ranges", report);
    return 0;
  }

  private Duration window() {
    return Duration.ofSeconds(run.quick() ? 1 : seconds);
  }

  /**
   * Returns the queries per second of a few clients, each of which sends the next query when it has
   * its answer.
   */
  private double throughput(RangeTable table) {
    closedLoop(table); // this run only warms up
    return closedLoop(table);
  }

  private double closedLoop(RangeTable table) {
    AtomicLong answered = new AtomicLong();
    long began = System.nanoTime();
    long end = began + window().toNanos();
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int client = 0; client < CALIBRATING_CLIENTS; client++) {
        int from = client;
        clients.submit(
            () -> {
              for (int range = from; System.nanoTime() < end; range++) {
                table.query(range % RangeTable.RANGES);
                answered.incrementAndGet();
              }
            });
      }
    }
    return answered.get() / ((System.nanoTime() - began) / 1e9);
  }

  private Trial trial(RangeTable table, String policy, int fill, double perSecond) {
    table.shuffle(fill);
    try (PoissonLoad arrivals =
        new PoissonLoad(table::query, RangeTable.RANGES, perSecond, -1 - fill)) {
      arrivals.measure(window().dividedBy(3)); // the policy decides by the load of this loop
      table.place(policy);
    }
    try (PoissonLoad arrivals = new PoissonLoad(table::query, RangeTable.RANGES, perSecond, fill)) {
      RangeTable.pause(window().dividedBy(6));
      long[] nanos = arrivals.measure(window());
      return new Trial(millis(nanos, 0.50), millis(nanos, 0.99), table.spread());
    }
  }

  private static double millis(long[] sorted, double share) {
    return sorted[(int) Math.min(sorted.length - 1, sorted.length * share)] / 1e6;
  }

  private String report(Trials results, int fills, long documents, double perSecond) {
    Table table =
        new Table(
            "policy",
            "p50, ms",
            "p99, ms",
            "servers of a query",
            "PODP's p99 below it, 95 % interval");
    for (String policy : POLICIES) {
      List<Trial> own = results.of(policy);
      Reduction reduction = results.reduction("podp", policy);
      table.add(
          policy,
          spread(own, Trial::p50),
          spread(own, Trial::p99),
          String.format(
              Locale.ROOT, "%.2f", own.stream().mapToDouble(Trial::spread).average().orElseThrow()),
          policy.equals("podp")
              ? ""
              : String.format(
                  Locale.ROOT,
                  "%.1f %% ± %.1f %%",
                  100 * reduction.mean(),
                  100 * reduction.interval()));
    }
    return String.format(
        Locale.ROOT,
        """
        - Machine: %s
        - Java: %s; one process, %d servers with one worker thread each, %,d documents in %d actors of one copy
        - Sloppy phrases, counted in %d neighbouring actors; %.0f queries a second arrive by chance, %.0f %% of the highest \
        throughput; %d random fills, the same and with the same arrivals for each policy, %d s of each
        - Medians of the fills, with the least and the greatest

        %s
        """,
        Machine.describe(),
        Machine.java(),
        RangeTable.SERVERS,
        documents,
        RangeTable.ACTORS,
        RangeTable.RANGE,
        perSecond,
        100 * load,
        fills,
        window().toSeconds(),
        table);
  }

  private static String spread(List<Trial> trials, ToDoubleFunction<Trial> of) {
    double[] sorted = trials.stream().mapToDouble(of).sorted().toArray();
    return String.format(
        Locale.ROOT,
        "%.1f (%.1f-%.1f)",
        sorted[sorted.length / 2],
        sorted[0],
        sorted[sorted.length - 1]);
  }
}
