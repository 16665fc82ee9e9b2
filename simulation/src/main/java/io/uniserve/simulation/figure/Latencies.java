package io.uniserve.simulation.figure;

import io.uniserve.simulation.figure.Comparison.Prepared;
import io.uniserve.simulation.figure.result.Claim;
import io.uniserve.simulation.figure.result.Claim.Verdict;
import io.uniserve.simulation.figure.result.FigureResult;
import io.uniserve.simulation.figure.result.FigureSettings;
import io.uniserve.simulation.plot.Axis;
import io.uniserve.simulation.plot.Chart;
import io.uniserve.simulation.plot.Series;
import io.uniserve.simulation.plot.Series.Point;
import io.uniserve.simulation.queueing.Farm;
import io.uniserve.simulation.queueing.QueryMix;
import io.uniserve.simulation.queueing.Routing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Figures 5b, 7 and 9: latencies of the small farm. */
public final class Latencies {
  private static final int SHARDS = Scenario.SMALL.shards();
  private static final double[] RATES = {1.33, 1.43, 1.54, 1.60};
  private static final double[] NLB_MILLIS = {6.2, 8.8, 16, 32};
  private static final double[] PODP_MILLIS = {4.6, 6.6, 11.8, 24};

  private Latencies() {}

  /** Returns figure 5b: throughput against p99 in the paper's simulator. */
  static FigureResult throughput(FigureSettings settings) {
    Farm farm = Farm.uniform(5, 4, SHARDS, 4);
    QueryMix mix = QueryMix.ranges(SHARDS, 3);
    Comparison comparison = new Comparison(settings, List.of(Contender.nlb(), Contender.podp()));
    List<Trial> trials = new ArrayList<>();
    for (double rate : settings.small() ? new double[] {RATES[0]} : RATES) {
      trials.addAll(comparison.run(rate, seed -> new Scenario(farm, mix, rate, new TreeSet<>())));
    }
    Summary summary = new Summary(trials);
    Chart chart =
        new Chart(
            "Figure 5b: throughput against p99",
            Axis.linear("queries per tick, 4 ticks per access"),
            Axis.logarithmic("p99 latency, ms"),
            summary.lines(Trial::p99));
    return new FigureResult(
        chart,
        summary.csv(),
        List.of(
            known(summary, Contender.NLB, NLB_MILLIS),
            known(summary, Contender.PODP, PODP_MILLIS)));
  }

  private static Claim known(Summary summary, String policy, double[] known) {
    double[] xs = summary.xs();
    double[] here = Arrays.stream(xs).map(x -> summary.median(x, policy, Trial::p99)).toArray();
    long holding =
        IntStream.range(0, xs.length)
            .filter(place -> Math.abs(here[place] / known[place] - 1) <= 0.15)
            .count();
    return new Claim(
        "(published logs, re-run) p99 of %s: %s ms".formatted(policy, text(known)),
        text(here) + " ms",
        Verdict.of(holding, xs.length));
  }

  static String text(double[] values) {
    return String.join(
        ", ",
        Arrays.stream(values).mapToObj(one -> String.format(Locale.ROOT, "%.1f", one)).toList());
  }

  /** Returns figure 7: all latencies at one throughput. */
  static FigureResult distribution(FigureSettings settings) {
    QueryMix mix = QueryMix.ranges(SHARDS, 3);
    Prepared prepared =
        Prepared.of(Scenario.busy(Scenario.SMALL, mix, 0.75), settings.queries(), 0);
    StringBuilder csv = new StringBuilder("policy,percent,latency_ms\n");
    List<Series> curves = new ArrayList<>();
    for (Contender contender : Contender.all()) {
      var outcome = prepared.run(prepared.place(contender, 0));
      List<Point> points = new ArrayList<>();
      for (double percent = 1; percent <= 99.9; percent += percent < 99 ? 1 : 0.1) {
        points.add(Point.of(outcome.latencyMillis(percent), percent));
        csv.append(
            String.format(
                Locale.ROOT,
                "%s,%.1f,%.1f%n",
                contender.name(),
                percent,
                outcome.latencyMillis(percent)));
      }
      curves.add(new Series(contender.name(), Series.Form.CURVE, points));
    }
    settings.progress().accept("one trial drawn");
    Summary summary =
        new Summary(
            new Comparison(settings, Contender.all())
                .run(0.75, seed -> Scenario.busy(Scenario.SMALL, mix, 0.75)));
    Chart chart =
        new Chart(
            "Figure 7, in simulation: latencies at 75 % utilisation",
            Axis.linear("latency, ms"), Axis.linear("share of queries, %"), curves);
    List<Claim> claims =
        summary.policies().stream()
            .filter(policy -> !policy.equals(Contender.PODP))
            .map(baseline -> tailBeforeMedian(summary, baseline))
            .toList();
    return new FigureResult(chart, csv.toString(), claims);
  }

  private static Claim tailBeforeMedian(Summary summary, String baseline) {
    var tail = summary.reduction(0.75, Contender.PODP, baseline, Trial::p99);
    var median = summary.reduction(0.75, Contender.PODP, baseline, Trial::p50);
    return new Claim(
        "p99 substantially lower than with %s, the median less so, but lower".formatted(baseline),
        "p99 %s lower, median %s".formatted(tail, median),
        tail.mean() > 0.05 && median.mean() >= 0 && median.mean() < tail.mean()
            ? Verdict.HOLDS
            : Verdict.of(tail.mean() > 0.05 ? 1 : 0, 2));
  }

  /** Returns figure 9: fewer shards on each server, at the same load. */
  static FigureResult shardsPerServer(FigureSettings settings) {
    int[] perServer = settings.small() ? new int[] {4, 20} : new int[] {2, 3, 4, 6, 10, 20, 40};
    Comparison comparison = new Comparison(settings, List.of(Contender.nlb()));
    List<Trial> trials = new ArrayList<>();
    List<Point> clustered = new ArrayList<>();
    for (int count : perServer) {
      Farm farm = Farm.uniform(5, 4, 5 * count, 10);
      QueryMix mix = QueryMix.ranges(farm.shards(), 3);
      trials.addAll(comparison.run(count, seed -> Scenario.busy(farm, mix, 0.75)));
      clustered.add(Point.of(count, 100 * clustered(farm, mix, settings.trials())));
    }
    Summary summary = new Summary(trials);
    Axis x = Axis.logarithmic("shards per server, at 75 % utilisation");
    Chart tail =
        new Chart(
            "Figure 9a, in simulation: NLB with fewer shards",
            x,
            Axis.linear("p99 latency, ms"),
            summary.lines(Trial::p99));
    Chart share =
        new Chart(
            "Figure 9b, in simulation: NLB with fewer shards",
            x,
            Axis.linear("queries that access an n-cluster, %"),
            List.of(new Series(Contender.NLB, Series.Form.LINE, clustered)));
    return new FigureResult(
        Map.of("a", tail, "b", share), csv(summary, clustered), nineClaims(summary, clustered));
  }

  private static double clustered(Farm farm, QueryMix mix, int trials) {
    return IntStream.range(0, trials)
        .mapToDouble(
            trial -> {
              Prepared prepared = Prepared.of(Scenario.busy(farm, mix, 0.75), 1, trial);
              Routing routing = prepared.place(Contender.nlb(), trial);
              return Parallelism.clustered(mix, routing, farm.servers());
            })
        .average()
        .orElse(0);
  }

  private static String csv(Summary summary, List<Point> clustered) {
    StringBuilder csv = new StringBuilder("shards_per_server,p50_ms,p99_ms,clustered_percent\n");
    for (Point point : clustered) {
      csv.append(
          String.format(
              Locale.ROOT,
              "%.0f,%.2f,%.2f,%.1f%n",
              point.x(),
              summary.median(point.x(), Contender.NLB, Trial::p50),
              summary.median(point.x(), Contender.NLB, Trial::p99),
              point.y()));
    }
    return csv.toString();
  }

  private static List<Claim> nineClaims(Summary summary, List<Point> clustered) {
    double few = clustered.getFirst().x();
    double many = clustered.getLast().x();
    double[] tails = {
      summary.median(few, Contender.NLB, Trial::p99),
      summary.median(many, Contender.NLB, Trial::p99)
    };
    double[] medians = {
      summary.median(few, Contender.NLB, Trial::p50),
      summary.median(many, Contender.NLB, Trial::p50)
    };
    double[] shares = {clustered.getFirst().y(), clustered.getLast().y()};
    String ends = " ms at the fewest and the most shards";
    return List.of(
        new Claim(
            "(a) p99 grows as shards get fewer",
            text(tails) + ends,
            Verdict.of(tails[0] > tails[1] * 1.02)),
        new Claim(
            "the median remains unchanged",
            text(medians) + ends,
            Verdict.of(Math.abs(medians[0] / medians[1] - 1) < 0.05)),
        new Claim(
            "(b) more queries access n-clusters as shards get fewer",
            text(shares) + " %",
            Verdict.of(shares[0] > shares[1])));
  }
}
