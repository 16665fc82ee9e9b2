package io.uniserve.simulation.figure;

import io.uniserve.api.policy.PlacementPolicy;
import io.uniserve.policy.placement.PodpSettings;
import io.uniserve.simulation.figure.result.Claim;
import io.uniserve.simulation.figure.result.Claim.Verdict;
import io.uniserve.simulation.figure.result.FigureResult;
import io.uniserve.simulation.figure.result.FigureSettings;
import io.uniserve.simulation.plot.Axis;
import io.uniserve.simulation.plot.Chart;
import io.uniserve.simulation.queueing.Farm;
import io.uniserve.simulation.queueing.QueryMix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Figures 14 and 16: large clusters, 10 shards on each server, 75 % utilisation. */
final class Scale {
  private static final int[] SERVERS = {50, 100, 500, 1000};
  private static final double[] NLB_MILLIS = {14.2, 16.5, 13.8, 13.0};
  private static final double[] PODP_MILLIS = {8.9, 9.2, 9.2, 9.0};
  private static final int LARGE = 500;
  private static final int TRIALS_MAX_OF_LARGE = 8;
  private static final int QUERIES = 50_000;
  private static final String CLAIM = "p99 22-35 % lower";

  private Scale() {}

  /**
   * Returns the published number of shards that a query reads: 10 with 50 servers, 20 otherwise.
   */
  static int querySize(int servers) {
    return servers <= 50 ? 10 : 20;
  }

  static Scenario scenario(int servers) {
    return Scenario.busy(
        Farm.uniform(servers, 4, servers * 10, 10),
        QueryMix.ranges(servers * 10, querySize(servers)),
        0.75);
  }

  private static int[] servers(FigureSettings settings) {
    return settings.small() ? new int[] {50} : SERVERS;
  }

  private static FigureSettings of(FigureSettings settings, int servers) {
    FigureSettings all =
        new FigureSettings(
            settings.trials(),
            Math.min(settings.queries(), QUERIES),
            settings.small(),
            settings.progress());
    return servers < LARGE ? all : all.withTrialsMax(TRIALS_MAX_OF_LARGE);
  }

  /** Returns figure 14: servers against p99. */
  static FigureResult servers14(FigureSettings settings) {
    List<Contender> contenders = new ArrayList<>(Contender.all());
    contenders.add(Contender.sticky());
    Summary summary = run(settings, contenders);
    List<Claim> claims = new ArrayList<>(Reductions.claims(summary, CLAIM, 0.22));
    claims.add(stickyClaim(summary));
    claims.add(known(summary, Contender.NLB, NLB_MILLIS));
    claims.add(known(summary, Contender.PODP, PODP_MILLIS));
    return new FigureResult(
        chart("Figure 14: servers against p99", summary), summary.csv(), claims);
  }

  private static Summary run(FigureSettings settings, List<Contender> contenders) {
    List<Trial> trials = new ArrayList<>();
    for (int count : servers(settings)) {
      Comparison comparison = new Comparison(of(settings, count), contenders);
      trials.addAll(comparison.run(count, seed -> scenario(count)));
    }
    return new Summary(trials);
  }

  private static Chart chart(String title, Summary summary) {
    return new Chart(
        title,
        Axis.logarithmic("servers"),
        Axis.linear("p99 latency, ms"),
        summary.lines(Trial::p99));
  }

  private static Claim stickyClaim(Summary summary) {
    double[] xs = summary.xs();
    String here =
        Arrays.stream(xs)
            .mapToObj(
                x ->
                    "%s at %s"
                        .formatted(
                            summary.reduction(x, Contender.STICKY, Contender.NLB, Trial::p99),
                            Reductions.text(x)))
            .collect(Collectors.joining("; "));
    long holding =
        Arrays.stream(xs)
            .filter(
                x ->
                    summary.reduction(x, Contender.STICKY, Contender.NLB, Trial::p99).mean() > 0.22)
            .count();
    return new Claim(
        CLAIM + ", against NLB, if parts follow present locations as the paper's text has it",
        here,
        Verdict.of(holding, xs.length));
  }

  private static Claim known(Summary summary, String policy, double[] known) {
    double[] xs = summary.xs();
    double[] here = Arrays.stream(xs).map(x -> summary.median(x, policy, Trial::p99)).toArray();
    long holding =
        IntStream.range(0, xs.length)
            .filter(place -> Math.abs(here[place] / known[place] - 1) <= 0.1)
            .count();
    return new Claim(
        "(published logs, re-run) p99 of %s: %s ms".formatted(policy, Latencies.text(known)),
        Latencies.text(here) + " ms",
        Verdict.of(holding, xs.length));
  }

  /** Returns figure 16: sub-problems against p99. */
  static FigureResult subProblems(FigureSettings settings) {
    List<Contender> contenders =
        List.of(
            Contender.getafixPlus(),
            parted("1 sub-problem", 1),
            parted("5", 5),
            parted("servers / query size", 0),
            new Contender("servers / 3", seed -> thirds(seed)));
    Summary summary = run(settings, contenders);
    double[] xs = summary.xs();
    String few = "servers / query size";
    return new FigureResult(
        chart("Figure 16: sub-problems against p99", summary),
        summary.csv(),
        List.of(
            claim(
                summary,
                xs,
                "1 sub-problem",
                few,
                -0.05,
                "few sub-problems do not lengthen the tail"),
            claim(
                summary,
                xs,
                Contender.GETAFIX_PLUS,
                few,
                0.02,
                "the tail is shorter than with Getafix+")));
  }

  private static Contender parted(String name, int parts) {
    return Contender.podp(name, PodpSettings.DEFAULT.withParts(parts));
  }

  private static PlacementPolicy thirds(long seed) {
    return cluster ->
        parted("", Math.max(1, cluster.servers().size() / 3)).withSeed().apply(seed).place(cluster);
  }

  private static Claim claim(
      Summary summary, double[] xs, String baseline, String policy, double least, String paper) {
    long holding =
        Arrays.stream(xs)
            .filter(x -> summary.reduction(x, policy, baseline, Trial::p99).mean() >= least)
            .count();
    String here =
        Arrays.stream(xs)
            .mapToObj(
                x ->
                    String.format(
                        Locale.ROOT,
                        "%s lower than %s at %s",
                        summary.reduction(x, policy, baseline, Trial::p99),
                        baseline,
                        Reductions.text(x)))
            .collect(Collectors.joining("; "));
    return new Claim(paper, here, Verdict.of(holding, xs.length));
  }
}
