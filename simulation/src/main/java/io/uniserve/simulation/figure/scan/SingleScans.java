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
import io.uniserve.simulation.scan.ScanQuery;
import io.uniserve.simulation.scan.ScanSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Figures 4, 5 and 6: one scan alone, with every fixed parallelism and with ASA. */
final class SingleScans {
  static final String ASA = "ASA";
  static final String CSV_HEADER = "way,contender,x,mean,least,greatest\n";
  private static final List<Integer> FIXED = List.of(1, 2, 4, 8, 10);
  private static final List<String> FIXED_NAMES =
      FIXED.stream().map(slots -> Workload.fixed(slots).toString()).toList();
  private static final String SECONDS = "completion, s";

  /**
   * The part by which a fixed parallelism may be slower than the best to be enough. Whole
   * partitions come in rounds, of which the last may be nearly empty.
   */
  private static final Map<Way, Double> ENOUGH = Map.of(Way.WHOLE, 0.25, Way.PAGES, 0.1);

  private final FigureSettings settings;
  private final String title;
  private final Axis axis;
  private final double[] xs;
  private final Shape shape;
  private final Map<Way, Lines> lines = new EnumMap<>(Way.class);

  /** Makes a scan of a place in the figure. */
  private interface Shape {
    ScanQuery scan(Ranges ranges, double x, Parallelism parallelism);
  }

  private SingleScans(FigureSettings settings, String title, Axis axis, double[] xs, Shape shape) {
    this.settings = settings;
    this.title = title;
    this.axis = axis;
    this.xs = settings.small() ? new double[] {xs[0], xs[xs.length - 1]} : xs;
    this.shape = shape;
    for (Way way : Way.values()) {
      lines.put(way, run(way));
    }
  }

  private Lines run(Way way) {
    Lines all = new Lines();
    for (double x : xs) {
      for (int trial = 0; trial < settings.trials(); trial++) {
        ScanSettings scans = way.settings(new FirstCome(), trial);
        for (int slots : FIXED) {
          Parallelism fixed = Workload.fixed(slots);
          all.add(fixed.toString(), x, seconds(scans, x, fixed));
        }
        all.add(ASA, x, seconds(scans, x, Workload.adaptive(scans)));
      }
      settings.progress().accept(way.text + ", " + text(x));
    }
    return all;
  }

  private double seconds(ScanSettings scans, double x, Parallelism parallelism) {
    ScanQuery query = shape.scan(new Ranges(scans.seed()), x, parallelism);
    return Workload.run(scans, Workload.SERVERS, List.of(query)).getFirst().seconds();
  }

  static FigureResult lengths(FigureSettings settings) {
    SingleScans figure =
        new SingleScans(
            settings,
            "Figure 4: length of the range, fast client",
            Axis.linear("length, % of the table"),
            new double[] {0.5, 1, 2, 4},
            (ranges, x, parallelism) ->
                ranges.scan(0, x / 100, Workload.TENTH, Workload.FAST_KB, parallelism));
    double[] xs = figure.xs;
    Lines whole = figure.lines.get(Way.WHOLE);
    String saved =
        Arrays.stream(xs)
            .mapToObj(
                x -> String.format(Locale.ROOT, "%.0f s at %s %%", figure.saved(whole, x), text(x)))
            .collect(Collectors.joining(", "));
    boolean grows = true;
    for (int i = 1; i < xs.length; i++) {
      grows &= figure.saved(whole, xs[i]) > figure.saved(whole, xs[i - 1]);
    }
    long diminishing = Arrays.stream(xs).filter(x -> diminishes(whole, x)).count();
    double last = xs[xs.length - 1];
    return figure.result(
        new Claim(
            "the longer the range, the more parallelism matters",
            "K = 10 saves against K = 1: " + saved,
            Verdict.of(grows)),
        new Claim(
            "diminishing returns",
            String.format(
                Locale.ROOT,
                "at %s %%: %.0f, %.0f, %.0f, %.0f, %.0f s with K = 1, 2, 4, 8, 10",
                text(last),
                whole.mean(FIXED_NAMES.get(0), last),
                whole.mean(FIXED_NAMES.get(1), last),
                whole.mean(FIXED_NAMES.get(2), last),
                whole.mean(FIXED_NAMES.get(3), last),
                whole.mean(FIXED_NAMES.get(4), last)),
            Verdict.of(diminishing, xs.length)));
  }

  private double saved(Lines all, double x) {
    return all.mean(FIXED_NAMES.getFirst(), x) - all.mean(FIXED_NAMES.getLast(), x);
  }

  /** Returns whether each further slot saves less than those before, up to eight. */
  private static boolean diminishes(Lines all, double x) {
    double before = Double.POSITIVE_INFINITY;
    for (int i = 0; i + 2 < FIXED.size(); i++) {
      double each =
          (all.mean(FIXED_NAMES.get(i), x) - all.mean(FIXED_NAMES.get(i + 1), x))
              / (FIXED.get(i + 1) - FIXED.get(i));
      if (each > before) {
        return false;
      }
      before = each;
    }
    return true;
  }

  static FigureResult selectivities(FigureSettings settings) {
    SingleScans figure =
        new SingleScans(
            settings,
            "Figure 5: selectivity, client of 250 KB/s",
            Axis.linear("records that match, %"),
            new double[] {2, 1, 0.5, 0.2, 0},
            (ranges, x, parallelism) -> ranges.scan(0, 0.01, x / 100, 250, parallelism));
    return figure.result(
        figure.needed(
            "K = 1 is enough at 2 %, 1 % needs 2, 0.5 % needs 4",
            new TreeMap<>(Map.of(2.0, 1, 1.0, 2, 0.5, 4)), Way.WHOLE),
        figure.needed(
            "the same with pages", new TreeMap<>(Map.of(2.0, 1, 1.0, 2, 0.5, 4)), Way.PAGES));
  }

  static FigureResult rates(FigureSettings settings) {
    SingleScans figure =
        new SingleScans(
            settings,
            "Figure 6: rate of the client",
            Axis.linear("client, KB/s"),
            new double[] {250, 500, 1_000, 2_000},
            (ranges, x, parallelism) -> ranges.scan(0, 0.01, Workload.TENTH, x, parallelism));
    Map<Double, Integer> expected =
        new TreeMap<>(Map.of(250.0, 1, 500.0, 2, 1_000.0, 4, 2_000.0, 8));
    return figure.result(
        figure.needed("1, 2, 4, 8 servers are needed", expected, Way.WHOLE),
        figure.needed("the same with pages", expected, Way.PAGES),
        figure.slower());
  }

  private Claim slower() {
    Lines whole = lines.get(Way.WHOLE);
    List<String> parts = new ArrayList<>();
    double most = 0;
    for (double x : xs) {
      double slower = whole.mean(ASA, x) / whole.mean(FIXED_NAMES.getLast(), x) - 1;
      parts.add(String.format(Locale.ROOT, "%.0f %% at %s", slower * 100, text(x)));
      most = Math.max(most, slower);
    }
    return new Claim(
        "ASA is up to 31 % slower than K = 10, which takes all servers",
        String.join(", ", parts), Verdict.of(most <= 0.315));
  }

  private Claim needed(String paper, Map<Double, Integer> expected, Way way) {
    List<String> parts = new ArrayList<>();
    long holding = 0;
    long all = 0;
    for (double x : xs) {
      if (expected.containsKey(x)) {
        int needed = needed(way, x);
        parts.add(String.format(Locale.ROOT, "%d at %s", needed, text(x)));
        holding += needed == expected.get(x) ? 1 : 0;
        all++;
      }
    }
    return new Claim(
        paper,
        String.format(
            Locale.ROOT,
            "the least K within %.0f %% of the best: %s",
            ENOUGH.get(way) * 100,
            String.join(", ", parts)),
        Verdict.of(holding, all));
  }

  private int needed(Way way, double x) {
    Lines all = lines.get(way);
    double best = all.best(FIXED_NAMES, x);
    return FIXED.stream()
        .filter(
            slots -> all.mean(Workload.fixed(slots).toString(), x) <= best * (1 + ENOUGH.get(way)))
        .findFirst()
        .orElseThrow();
  }

  private FigureResult result(Claim... claims) {
    Map<String, Chart> charts = new TreeMap<>();
    StringBuilder csv = new StringBuilder(CSV_HEADER);
    for (Way way : Way.values()) {
      Lines all = lines.get(way);
      charts.put(
          way.chart,
          new Chart(
              title + " (" + way.text + ")",
              axis,
              Axis.linear(SECONDS),
              all.series(Series.Form.LINE)));
      csv.append(all.csv(way.chart + ","));
    }
    List<Claim> everything = new ArrayList<>(List.of(claims));
    everything.add(aim(lines.get(Way.PAGES), xs));
    return new FigureResult(charts, csv.toString(), everything);
  }

  /** Returns our aim: ASA with pages is nearly as fast as the best fixed parallelism. */
  static Claim aim(Lines pages, double[] xs) {
    List<String> fixed = pages.contenders().stream().filter(one -> !one.equals(ASA)).toList();
    List<String> parts = new ArrayList<>();
    long holding = 0;
    for (double x : xs) {
      double slower = pages.mean(ASA, x) / pages.best(fixed, x) - 1;
      parts.add(String.format(Locale.ROOT, "%.0f %% at %s", slower * 100, text(x)));
      holding += slower <= 0.105 ? 1 : 0;
    }
    return new Claim(
        "(our aim) with pages, ASA at most 10 % slower than the best fixed K",
        String.join(", ", parts), Verdict.of(holding, xs.length));
  }

  static String text(double x) {
    return Math.rint(x) == x ? String.format(Locale.ROOT, "%,.0f", x) : String.valueOf(x);
  }
}
