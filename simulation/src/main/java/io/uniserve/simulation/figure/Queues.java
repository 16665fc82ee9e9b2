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
import io.uniserve.simulation.queueing.Outcome;
import io.uniserve.simulation.queueing.QueryMix;
import io.uniserve.simulation.queueing.QueueSizes;
import io.uniserve.simulation.queueing.Routing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** Figures 2 and 3: the queues of servers. */
final class Queues {
  private static final int PLACEMENTS = 150;
  private static final int PLACEMENTS_SMALL = 8;

  private Queues() {}

  private static Scenario scenario() {
    return Scenario.busy(Scenario.SMALL, QueryMix.ranges(Scenario.SMALL.shards(), 3), 0.75);
  }

  /** Returns figure 2: how many accesses wait, with each policy. */
  static FigureResult distribution(FigureSettings settings) {
    List<Contender> contenders = List.of(Contender.nlb(), Contender.podp());
    TreeMap<String, List<QueueSizes>> sizes = new TreeMap<>();
    for (int trial = 0; trial < settings.trials(); trial++) {
      Prepared prepared = Prepared.of(scenario(), settings.queries(), trial);
      for (Contender contender : contenders) {
        Outcome outcome = prepared.run(prepared.place(contender, trial));
        sizes
            .computeIfAbsent(contender.name(), name -> new ArrayList<>())
            .add(outcome.queueSizes());
      }
      settings.progress().accept("trial %d of %d".formatted(trial + 1, settings.trials()));
    }
    return distribution(sizes);
  }

  private static FigureResult distribution(TreeMap<String, List<QueueSizes>> byPolicy) {
    StringBuilder csv = new StringBuilder("policy,queue_size,share_up_to\n");
    List<Series> curves = new ArrayList<>();
    TreeMap<String, Integer> p99 = new TreeMap<>();
    byPolicy.forEach(
        (policy, parts) -> {
          QueueSizes sum = QueueSizes.sum(parts);
          p99.put(policy, sum.percentile(99));
          List<Point> points = new ArrayList<>();
          for (int size = 0; size <= sum.percentile(99.9); size++) {
            points.add(Point.of(size, sum.upTo(size)));
            csv.append(String.format(Locale.ROOT, "%s,%d,%.5f%n", policy, size, sum.upTo(size)));
          }
          curves.add(new Series(policy, Series.Form.CURVE, points));
        });
    double reduction = 1 - p99.get(Contender.PODP) / (double) p99.get(Contender.NLB);
    String here =
        String.format(
            Locale.ROOT,
            "%d with NLB, %d with PODP: %.0f %% lower",
            p99.get(Contender.NLB),
            p99.get(Contender.PODP),
            reduction * 100);
    List<Claim> claims =
        List.of(
            new Claim("p99 of the queue size about 30 % lower", here, Verdict.of(reduction > 0.25)),
            new Claim(
                "(published logs, re-run) p99 16 with PODP, 22 to 24 with NLB",
                here,
                Verdict.of(
                    p99.get(Contender.PODP) == 16 && Math.abs(p99.get(Contender.NLB) - 23) <= 1)));
    Chart chart =
        new Chart(
            "Figure 2: queue sizes of servers",
            Axis.linear("accesses in the queue"),
            Axis.linear("share of samples up to this"),
            curves);
    return new FigureResult(chart, csv.toString(), claims);
  }

  /** Returns figure 3: a server's 2-clusters and its queue. */
  static FigureResult clusters(FigureSettings settings) {
    int placements = settings.small() ? PLACEMENTS_SMALL : PLACEMENTS;
    List<Point> naive = new ArrayList<>();
    List<Point> parallel = new ArrayList<>();
    for (int trial = 0; trial < placements; trial++) {
      Prepared prepared = Prepared.of(scenario(), settings.queries(), trial);
      addServers(prepared, Contender.nlb(), trial, naive);
      if (trial < 5) {
        addServers(prepared, Contender.podp(), trial, parallel);
      }
      settings.progress().accept("placement %d of %d".formatted(trial + 1, placements));
    }
    return clusters(naive, parallel);
  }

  private static void addServers(
      Prepared prepared, Contender contender, int trial, List<Point> points) {
    Routing routing = prepared.place(contender, trial);
    int servers = prepared.scenario().farm().servers();
    int[] pairs = Parallelism.pairs(prepared.scenario().mix(), routing, servers);
    List<QueueSizes> sizes = prepared.run(routing).queueSizesByServer();
    for (int server = 0; server < servers; server++) {
      points.add(Point.of(pairs[server], sizes.get(server).percentile(99)));
    }
  }

  private static FigureResult clusters(List<Point> naive, List<Point> parallel) {
    StringBuilder csv = new StringBuilder("policy,two_clusters,queue_p99\n");
    naive.forEach(point -> row(csv, Contender.NLB, point));
    parallel.forEach(point -> row(csv, Contender.PODP, point));
    Chart chart =
        new Chart(
            "Figure 3: 2-clusters of a server and its queue",
            Axis.linear("2-clusters on the server"),
            Axis.linear("p99 of its queue size"),
            List.of(
                new Series(Contender.NLB, Series.Form.POINTS, naive),
                new Series(Contender.PODP, Series.Form.POINTS, parallel)));
    double correlation = correlation(naive);
    double none = parallel.stream().mapToDouble(Point::x).max().orElse(0);
    double few = mean(naive, 2, 4);
    double many = mean(naive, 12, 16);
    return new FigureResult(
        chart,
        csv.toString(),
        List.of(
            new Claim(
                "the more 2-clusters, the longer the queue",
                String.format(
                    Locale.ROOT,
                    "r² = %.2f over %d servers",
                    correlation * correlation,
                    naive.size()),
                Verdict.of(correlation > 0.7)),
            new Claim(
                "PODP has no 2-clusters",
                String.format(Locale.ROOT, "at most %.0f", none),
                Verdict.of(none == 0)),
            new Claim(
                "(published logs, re-run) p99 18 at three 2-clusters, about 28 at fourteen",
                String.format(
                    Locale.ROOT, "%.1f at two to four, %.1f at twelve to sixteen", few, many),
                Verdict.of(Math.abs(few - 18) < 2 && Math.abs(many - 28) < 4))));
  }

  private static void row(StringBuilder csv, String policy, Point point) {
    csv.append(String.format(Locale.ROOT, "%s,%.0f,%.0f%n", policy, point.x(), point.y()));
  }

  private static double mean(List<Point> points, int from, int to) {
    return points.stream()
        .filter(point -> point.x() >= from && point.x() <= to)
        .mapToDouble(Point::y)
        .average()
        .orElse(Double.NaN);
  }

  private static double correlation(List<Point> points) {
    double meanX = points.stream().mapToDouble(Point::x).average().orElse(0);
    double meanY = points.stream().mapToDouble(Point::y).average().orElse(0);
    double both = 0;
    double squaresX = 0;
    double squaresY = 0;
    for (Point point : points) {
      both += (point.x() - meanX) * (point.y() - meanY);
      squaresX += (point.x() - meanX) * (point.x() - meanX);
      squaresY += (point.y() - meanY) * (point.y() - meanY);
    }
    return both / Math.sqrt(squaresX * squaresY);
  }
}
