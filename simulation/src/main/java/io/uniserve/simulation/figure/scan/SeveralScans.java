package io.uniserve.simulation.figure.scan;

import io.uniserve.policy.scanning.FirstCome;
import io.uniserve.simulation.figure.result.Claim;
import io.uniserve.simulation.figure.result.Claim.Verdict;
import io.uniserve.simulation.figure.result.FigureResult;
import io.uniserve.simulation.figure.result.FigureSettings;
import io.uniserve.simulation.figure.scan.Workload.Ranges;
import io.uniserve.simulation.figure.scan.Workload.Way;
import io.uniserve.simulation.plot.Axis;
import io.uniserve.simulation.plot.Chart;
import io.uniserve.simulation.plot.Series;
import io.uniserve.simulation.scan.Parallelism;
import io.uniserve.simulation.scan.ScanOutcome;
import io.uniserve.simulation.scan.ScanQuery;
import io.uniserve.simulation.scan.ScanSettings;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Figures 8 and 9: several scans under FIFO. */
final class SeveralScans {
  private static final String ALL = Workload.fixed(Workload.SERVERS).toString();
  private static final String ONE = Workload.fixed(1).toString();
  private static final String TWO = Workload.fixed(2).toString();
  private static final int SCANS = 4;
  private static final double APART_SECONDS = 0.1;
  private static final double SLOW = 0;
  private static final double FAST = 1;

  private SeveralScans() {}

  static FigureResult equalClients(FigureSettings settings) {
    double[] xs =
        settings.small() ? new double[] {250, 2_000} : new double[] {250, 500, 1_000, 2_000};
    Map<Way, Lines> lines = new EnumMap<>(Way.class);
    for (Way way : Way.values()) {
      Lines all = lines.computeIfAbsent(way, any -> new Lines());
      for (double x : xs) {
        for (int trial = 0; trial < settings.trials(); trial++) {
          ScanSettings scans = way.settings(new FirstCome(), trial);
          for (int slots : new int[] {1, 2, Workload.SERVERS}) {
            Parallelism fixed = Workload.fixed(slots);
            all.add(fixed.toString(), x, makespan(scans, x, fixed));
          }
          all.add(SingleScans.ASA, x, makespan(scans, x, Workload.adaptive(scans)));
        }
        settings.progress().accept(way.text + ", " + SingleScans.text(x));
      }
    }
    Map<String, Chart> charts = new TreeMap<>();
    StringBuilder csv = new StringBuilder(SingleScans.CSV_HEADER);
    lines.forEach(
        (way, all) -> {
          charts.put(
              way.chart,
              new Chart(
                  "Figure 8: four scans, equal clients (" + way.text + ")",
                  Axis.linear("each client, KB/s"),
                  Axis.linear("completion of all, s"),
                  all.series(Series.Form.LINE)));
          csv.append(all.csv(way.chart + ","));
        });
    return new FigureResult(charts, csv.toString(), claims(lines, xs));
  }

  private static double makespan(ScanSettings scans, double rate, Parallelism parallelism) {
    Ranges ranges = new Ranges(scans.seed());
    List<ScanQuery> queries = new ArrayList<>();
    for (int i = 0; i < SCANS; i++) {
      queries.add(ranges.scan(i * APART_SECONDS, 0.01, Workload.TENTH, rate, parallelism));
    }
    return Workload.makespan(Workload.run(scans, Workload.SERVERS, queries));
  }

  private static List<Claim> claims(Map<Way, Lines> lines, double[] xs) {
    Lines whole = lines.get(Way.WHOLE);
    Lines pages = lines.get(Way.PAGES);
    double slow = xs[0];
    double fast = xs[xs.length - 1];
    double gain = whole.mean(ALL, slow) / whole.mean(SingleScans.ASA, slow);
    double one = whole.mean(ONE, fast) / whole.mean(SingleScans.ASA, fast);
    List<String> others = List.of(ONE, ALL);
    List<String> parts = new ArrayList<>();
    long holding = 0;
    for (double x : xs) {
      double both = Math.max(whole.mean(SingleScans.ASA, x), whole.mean(TWO, x));
      double best = whole.best(others, x);
      parts.add(
          String.format(
              Locale.ROOT,
              "%.0f and %.0f s against %.0f s at %s",
              whole.mean(SingleScans.ASA, x),
              whole.mean(TWO, x),
              best,
              SingleScans.text(x)));
      holding += both <= best * 1.05 ? 1 : 0;
    }
    return List.of(
        new Claim(
            "with slow clients ASA is 2 to 3 times as fast as all servers for each",
            String.format(Locale.ROOT, "%.1f times at %s KB/s", gain, SingleScans.text(slow)),
            Verdict.of(gain >= 1.95)),
        new Claim(
            "K = 1 is bad for fast clients",
            String.format(
                Locale.ROOT, "it takes %.1f times as long at %s KB/s", one, SingleScans.text(fast)),
            Verdict.of(one > 1.3)),
        new Claim(
            "ASA and K = 2 are best for all rates",
            String.join("; ", parts),
            Verdict.of(holding, xs.length)),
        new Claim(
            "(ours) with pages a slow client holds no slots, whatever its K",
            String.format(
                Locale.ROOT,
                "K = 10 takes %.2f times as long as ASA at %s KB/s",
                pages.mean(ALL, slow) / pages.mean(SingleScans.ASA, slow),
                SingleScans.text(slow)),
            Verdict.of(pages.mean(ALL, slow) <= pages.mean(SingleScans.ASA, slow) * 1.05)),
        SingleScans.aim(pages, xs));
  }

  static FigureResult unequalClients(FigureSettings settings) {
    Lines all = new Lines();
    for (int trial = 0; trial < settings.trials(); trial++) {
      ScanSettings whole = Way.WHOLE.settings(new FirstCome(), trial);
      ScanSettings pages = Way.PAGES.settings(new FirstCome(), trial);
      add(all, "K = 5", whole, Workload.fixed(5));
      add(all, "ASA", whole, Workload.adaptive(whole));
      add(all, "K = 5, pages", pages, Workload.fixed(5));
      add(all, "ASA, pages", pages, Workload.adaptive(pages));
      for (double which : new double[] {SLOW, FAST}) {
        ScanQuery alone = queries(whole, Workload.adaptive(whole)).get((int) which);
        all.add(
            "ASA, alone",
            which,
            Workload.run(whole, Workload.SERVERS, List.of(alone)).getFirst().seconds());
      }
    }
    double slowRatio = all.mean("ASA", SLOW) / all.mean("K = 5", SLOW);
    return new FigureResult(
        new Chart(
            "Figure 9: a slow and a fast client at once",
            Axis.named("", List.of("slow: 100 KB/s", "fast: 2,000 KB/s")),
            Axis.logarithmic("completion, s"),
            all.series(Series.Form.SEPARATE)),
        SingleScans.CSV_HEADER + all.csv(","),
        List.of(
            new Claim(
                "the slow client's scan takes as long with ASA as with K = 5",
                seconds(all, "ASA", "K = 5", SLOW),
                Verdict.of(Math.abs(slowRatio - 1) < 0.05)),
            new Claim(
                "the fast client's is faster with ASA",
                seconds(all, "ASA", "K = 5", FAST),
                Verdict.of(all.mean("ASA", FAST) < all.mean("K = 5", FAST))),
            new Claim(
                "but slower than alone",
                seconds(all, "ASA", "ASA, alone", FAST),
                Verdict.of(all.mean("ASA", FAST) > all.mean("ASA, alone", FAST))),
            new Claim(
                "(ours) with pages it is as fast as alone",
                seconds(all, "ASA, pages", "ASA, alone", FAST),
                Verdict.of(all.mean("ASA, pages", FAST) <= all.mean("ASA, alone", FAST) * 1.05))));
  }

  private static String seconds(Lines all, String one, String other, double which) {
    return String.format(
        Locale.ROOT,
        "%.0f s (%s), %.0f s (%s)",
        all.mean(one, which),
        one,
        all.mean(other, which),
        other);
  }

  private static List<ScanQuery> queries(ScanSettings scans, Parallelism parallelism) {
    Ranges ranges = new Ranges(scans.seed());
    return List.of(
        ranges.scan(0, 0.01, Workload.TENTH, 100, parallelism),
        ranges.scan(APART_SECONDS, 0.01, Workload.TENTH, 2_000, parallelism));
  }

  private static void add(Lines all, String name, ScanSettings scans, Parallelism parallelism) {
    List<ScanOutcome> outcomes = Workload.run(scans, Workload.SERVERS, queries(scans, parallelism));
    all.add(name, SLOW, outcomes.get(0).seconds());
    all.add(name, FAST, outcomes.get(1).seconds());
  }
}
