package io.uniserve.simulation.figure;

import io.uniserve.simulation.figure.result.Claim;
import io.uniserve.simulation.figure.result.FigureResult;
import io.uniserve.simulation.figure.result.FigureSettings;
import io.uniserve.simulation.plot.Axis;
import io.uniserve.simulation.plot.Chart;
import io.uniserve.simulation.plot.Series;
import io.uniserve.simulation.queueing.Farm;
import io.uniserve.simulation.queueing.QueryMix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.DoubleFunction;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/** The figures of p99 latency against another quantity, for the three baselines and PODP. */
final class Lines {
  private static final double BUSY = 0.75;
  private static final int SHARDS = Scenario.SMALL.shards();
  private static final String P99 = "p99 latency, ms";

  private Lines() {}

  static FigureResult throughput(FigureSettings settings) {
    double[] xs =
        settings.small()
            ? new double[] {0.5, 0.8}
            : new double[] {0.3, 0.45, 0.6, 0.7, 0.8, 0.85, 0.9};
    QueryMix mix = QueryMix.ranges(SHARDS, 3);
    Summary summary = run(settings, xs, x -> seed -> Scenario.busy(Scenario.SMALL, mix, x));
    return result(
        summary,
        "Figure 6, in simulation: load against p99",
        Axis.linear("utilisation of all cores"),
        Axis.logarithmic(P99),
        Reductions.claims(
            summary,
            "p99 7-24 % lower at low load, 33-50 % at high load",
            x -> x < 0.7 ? 0.07 : 0.33));
  }

  static FigureResult skew(FigureSettings settings) {
    double[] xs =
        settings.small() ? new double[] {0.2, 0.8} : new double[] {0.2, 0.4, 0.5, 0.6, 0.7, 0.8};
    Summary summary =
        run(
            settings,
            xs,
            x -> seed -> Scenario.busy(Scenario.SMALL, QueryMix.hotRanges(SHARDS, 3, x), BUSY));
    return result(
        summary,
        "Figure 8, in simulation: skew against p99",
        Axis.linear("share of queries in the hot fifth of the shards"),
        Axis.linear(P99),
        Reductions.claims(summary, "p99 54-64 % lower", 0.54));
  }

  static FigureResult querySize(FigureSettings settings) {
    double[] xs = settings.small() ? new double[] {3, 10} : new double[] {2, 3, 5, 8, 10, 15, 20};
    Summary summary =
        run(
            settings,
            xs,
            x -> seed -> Scenario.busy(Scenario.SMALL, QueryMix.ranges(SHARDS, (int) x), BUSY));
    return result(
        summary,
        "Figure 11, in simulation: shards per query against p99",
        Axis.linear("shards per query, at 75 % utilisation"),
        Axis.linear(P99),
        Reductions.claims(summary, "p99 24-39 % lower", 0.24));
  }

  static FigureResult withheld(FigureSettings settings) {
    double[] xs = settings.small() ? new double[] {5} : new double[] {0, 1, 2, 5, 10, 20};
    Summary summary = run(settings, xs, x -> seed -> withheld((int) x, seed));
    return result(
        summary,
        "Figure 12, in simulation: shards that policies know nothing of",
        Axis.linear("shards withheld, %"),
        Axis.linear(P99),
        Reductions.claims(summary, "p99 below every baseline's", 0.0051));
  }

  private static Scenario withheld(int percent, long seed) {
    QueryMix mix = QueryMix.ranges(SHARDS, 3);
    return new Scenario(
        Scenario.SMALL,
        mix,
        Scenario.SMALL.rateFor(BUSY, mix),
        new TreeSet<>(drawn(percent * SHARDS / 100, seed)));
  }

  private static List<Integer> drawn(int count, long seed) {
    return new SplittableRandom(seed + 1000)
        .ints(0, SHARDS)
        .distinct()
        .limit(count)
        .boxed()
        .toList();
  }

  static FigureResult sizes(FigureSettings settings) {
    double[] xs = settings.small() ? new double[] {20} : new double[] {0, 5, 10, 20, 40};
    Summary summary = run(settings, xs, x -> seed -> sizes((int) x, seed));
    return result(
        summary,
        "Figure 13, in simulation: shards that cost twice as much",
        Axis.linear("expensive shards, %"),
        Axis.linear(P99),
        Reductions.claims(summary, "p99 below every baseline's", 0.0051));
  }

  private static Scenario sizes(int percent, long seed) {
    int[] ticks = Scenario.SMALL.accessTicks().clone();
    drawn(percent * SHARDS / 100, seed).forEach(shard -> ticks[shard] *= 2);
    return Scenario.busy(new Farm(5, 4, ticks), QueryMix.ranges(SHARDS, 3), BUSY);
  }

  /** Returns a figure of workloads that the paper does not have. */
  static FigureResult workloads(FigureSettings settings) {
    Farm farm = Farm.uniform(20, 4, 200, 10);
    List<String> names =
        List.of("ranges", "random sets", "Zipf sets", "small + large", "half random");
    List<LongFunction<QueryMix>> mixes =
        List.of(
            seed -> QueryMix.ranges(200, 5),
            seed -> QueryMix.randomSets(200, 5, 300, seed),
            seed -> QueryMix.zipfSets(200, 5, 300, seed),
            seed -> QueryMix.of(0.9, QueryMix.ranges(200, 3), QueryMix.ranges(200, 30)),
            seed ->
                QueryMix.of(0.5, QueryMix.ranges(200, 5), QueryMix.randomSets(200, 5, 200, seed)));
    double[] xs =
        IntStream.range(0, settings.small() ? 2 : names.size()).asDoubleStream().toArray();
    Summary summary =
        run(settings, xs, x -> seed -> Scenario.busy(farm, mixes.get((int) x).apply(seed), BUSY));
    return result(
        summary,
        "Other workloads: 20 servers, 200 shards, 75 % utilisation",
        Axis.named("", names.subList(0, xs.length)),
        Axis.linear(P99),
        Reductions.claims(summary, "(not in the paper) p99 below every baseline's", 0.0051));
  }

  private static Summary run(
      FigureSettings settings, double[] xs, DoubleFunction<LongFunction<Scenario>> scenarios) {
    Comparison comparison = new Comparison(settings, Contender.all());
    List<Trial> trials = new ArrayList<>();
    Arrays.stream(xs).forEach(x -> trials.addAll(comparison.run(x, scenarios.apply(x))));
    return new Summary(trials);
  }

  private static FigureResult result(
      Summary summary, String title, Axis x, Axis y, List<Claim> claims) {
    List<Series> lines = summary.lines(Trial::p99);
    List<Series> shown =
        x.names().isEmpty()
            ? lines
            : lines.stream()
                .map(one -> new Series(one.name(), Series.Form.SEPARATE, one.points()))
                .toList();
    return new FigureResult(new Chart(title, x, y, shown), summary.csv(), claims);
  }
}
