package io.uniserve.simulation.figure.scan;

import io.uniserve.policy.scanning.AnyScan;
import io.uniserve.policy.scanning.FirstCome;
import io.uniserve.policy.scanning.GrantPolicy;
import io.uniserve.policy.scanning.PriorityBiased;
import io.uniserve.policy.scanning.RoundRobin;
import io.uniserve.simulation.figure.result.Claim;
import io.uniserve.simulation.figure.result.Claim.Verdict;
import io.uniserve.simulation.figure.result.FigureResult;
import io.uniserve.simulation.figure.result.FigureSettings;
import io.uniserve.simulation.figure.scan.Workload.Ranges;
import io.uniserve.simulation.figure.scan.Workload.Way;
import io.uniserve.simulation.plot.Axis;
import io.uniserve.simulation.plot.Chart;
import io.uniserve.simulation.plot.Series;
import io.uniserve.simulation.scan.ScanOutcome;
import io.uniserve.simulation.scan.ScanQuery;
import io.uniserve.simulation.scan.ScanSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Figures 10 and 12: policies that prefer short scans, and scans of higher priority. */
final class Schedulers {
  private static final int[] LENGTHS = {1, 2, 4, 8};
  private static final int CLIENTS = 4;
  private static final double[] PRIORITIES = {4, 4, 4, 4, 2, 2, 1, 1};
  private static final List<String> ARRIVALS =
      List.of("bronze", "bronze", "bronze", "bronze", "silver", "silver", "gold", "gold");

  /** The time between two arrivals in figure 12. */
  private static final double STAGGER_SECONDS = 2;

  private static final double PAGE_SECONDS = 0.1;

  /** A policy of a figure. */
  private record Named(String name, GrantPolicy policy, Priority priority) {
    Named(String name, GrantPolicy policy) {
      this(name, policy, Priority.WHOLE);
    }
  }

  /** The basis of a priority by length. */
  enum Priority {
    /** The least time in which the whole scan can end, as in the paper. */
    WHOLE,
    /** The least time in which the rest of it can end. */
    REST
  }

  private Schedulers() {}

  private static Named biased(double alpha) {
    return new Named("α = " + SingleScans.text(alpha), new PriorityBiased(alpha));
  }

  private static List<Named> policies(double... alphas) {
    List<Named> all =
        new ArrayList<>(
            List.of(
                new Named("FIFO", new FirstCome()),
                new Named("random", new AnyScan(1)),
                new Named("RR", new RoundRobin())));
    Arrays.stream(alphas).mapToObj(Schedulers::biased).forEach(all::add);
    return all;
  }

  /** Returns four scans of each of four clients, of other lengths in another order. */
  static List<ScanQuery> byLength(ScanSettings scans, Priority priority) {
    Ranges ranges = new Ranges(scans.seed());
    List<ScanQuery> queries = new ArrayList<>();
    for (int place = 0; place < LENGTHS.length; place++) {
      for (int client = 0; client < CLIENTS; client++) {
        int length = LENGTHS[(place + client) % LENGTHS.length];
        queries.add(
            ranges.scan(
                0,
                length / 100.0,
                Workload.adaptive(scans),
                priority == Priority.WHOLE
                    ? OptionalDouble.of(minimumCompletion(length))
                    : OptionalDouble.empty()));
      }
    }
    return queries;
  }

  /** Returns MC of a scan that reads as many servers as there are at once. */
  private static double minimumCompletion(int percent) {
    return percent / 100.0 * Workload.PARTITIONS / Workload.SERVERS;
  }

  static List<ScanOutcome> ofLength(List<ScanOutcome> outcomes, int percent) {
    double partitions = percent / 100.0 * Workload.PARTITIONS;
    return outcomes.stream()
        .filter(outcome -> Math.abs(outcome.query().length() - partitions) < 1e-6)
        .toList();
  }

  static FigureResult lengths(FigureSettings settings) {
    List<Named> policies = policies(1, 2, -2);
    policies.add(new Named("α = 2, rest", new PriorityBiased(2), Priority.REST));
    Lines first = new Lines();
    Lines mean = new Lines();
    Lines most = new Lines();
    Lines makespan = new Lines();
    for (int trial = 0; trial < settings.trials(); trial++) {
      for (int place = 0; place < policies.size(); place++) {
        ScanSettings scans = Way.WHOLE.settings(policies.get(place).policy(), trial);
        List<ScanOutcome> outcomes =
            Workload.run(scans, Workload.SERVERS, byLength(scans, policies.get(place).priority()));
        for (int length : LENGTHS) {
          String name = length + " %";
          List<ScanOutcome> same = ofLength(outcomes, length);
          first.add(name, place, mean(same, ScanOutcome::firstSeconds));
          mean.add(name, place, mean(same, ScanOutcome::seconds));
          most.add(
              name, place, same.stream().mapToDouble(ScanOutcome::seconds).max().orElseThrow());
        }
        makespan.add("all", place, Workload.makespan(outcomes));
      }
      settings.progress().accept("trial " + trial);
    }
    Axis axis = Axis.named("", policies.stream().map(Named::name).toList());
    return new FigureResult(
        new TreeMap<>(
            Map.of(
                "a",
                new Chart(
                    "Figure 10: first results of scans of 1, 2, 4 and 8 %",
                    axis, Axis.linear("first result, mean, s"), first.series(Series.Form.SEPARATE)),
                "b",
                new Chart(
                    "Figure 10: completion of scans of 1, 2, 4 and 8 %",
                    axis, Axis.linear("completion, mean, s"), mean.series(Series.Form.SEPARATE)))),
        SingleScans.CSV_HEADER
            + first.csv("first,")
            + mean.csv("mean,")
            + most.csv("greatest,")
            + makespan.csv("makespan,"),
        lengthClaims(policies, first, mean, makespan));
  }

  private static List<Claim> lengthClaims(
      List<Named> policies, Lines first, Lines mean, Lines makespan) {
    double fifo = overall(first, 0);
    double robin = overall(first, 2);
    String brief = "1 %";
    String longest = "8 %";
    int positive = 4;
    int negative = 5;
    double least = least(makespan, policies.size());
    double greatest = greatest(makespan, policies.size());
    return List.of(
        new Claim(
            "FIFO: most scans wait long for their first result; with the others none does",
            String.format(
                Locale.ROOT,
                "mean %.0f s with FIFO, %.0f s with round robin, %.0f s with α = 2",
                fifo,
                robin,
                overall(first, positive)),
            Verdict.of(fifo > 3 * robin && fifo > 3 * overall(first, positive))),
        new Claim(
            "α above 0 favours short scans, below 0 long ones",
            String.format(
                Locale.ROOT,
                "1 %%: %.0f s with α = 2, %.0f s with round robin, %.0f s with α = -2;"
                    + " 8 %%: %.0f, %.0f, %.0f s",
                mean.mean(brief, positive),
                mean.mean(brief, 2),
                mean.mean(brief, negative),
                mean.mean(longest, positive),
                mean.mean(longest, 2),
                mean.mean(longest, negative)),
            Verdict.of(
                (mean.mean(brief, positive) < mean.mean(brief, 2)
                            && mean.mean(brief, 2) < mean.mean(brief, negative)
                        ? 1
                        : 0)
                    // A hundredth is within what trials differ by.
                    + (mean.mean(longest, negative) < mean.mean(longest, 2) * 0.99 ? 1 : 0),
                2)),
        new Claim(
            "(ours) by what is left, scans end earlier on average than by the whole",
            String.format(
                Locale.ROOT,
                "mean of all %.0f s, %.0f s by the whole",
                overall(mean, policies.size() - 1),
                overall(mean, positive)),
            Verdict.of(overall(mean, policies.size() - 1) < overall(mean, positive))),
        new Claim(
            "with α above 0 short scans get their first results earlier, too",
            String.format(
                Locale.ROOT,
                "1 %%: %.1f s with α = 2, 8 %%: %.1f s",
                first.mean(brief, positive),
                first.mean(longest, positive)),
            Verdict.of(first.mean(brief, positive) < first.mean(longest, positive))),
        new Claim(
            "the completion of all is not affected",
            String.format(Locale.ROOT, "%.0f to %.0f s", least, greatest),
            Verdict.of(greatest <= least * 1.05)));
  }

  private static double overall(Lines lines, double x) {
    return lines.contenders().stream()
        .mapToDouble(one -> lines.mean(one, x))
        .average()
        .orElseThrow();
  }

  private static double least(Lines all, int places) {
    return IntStream.range(0, places).mapToDouble(x -> all.mean("all", x)).min().orElseThrow();
  }

  private static double greatest(Lines all, int places) {
    return IntStream.range(0, places).mapToDouble(x -> all.mean("all", x)).max().orElseThrow();
  }

  private static double mean(List<ScanOutcome> outcomes, ToDoubleFunction<ScanOutcome> of) {
    return outcomes.stream().mapToDouble(of).average().orElseThrow();
  }

  /** Returns two gold, two silver and four bronze scans, the least urgent first. */
  private static List<ScanQuery> byPriority(ScanSettings scans) {
    Ranges ranges = new Ranges(scans.seed());
    List<ScanQuery> queries = new ArrayList<>();
    for (int i = 0; i < PRIORITIES.length; i++) {
      queries.add(
          ranges.scan(
              i * STAGGER_SECONDS,
              0.04,
              Workload.adaptive(scans),
              OptionalDouble.of(PRIORITIES[i])));
    }
    return queries;
  }

  static FigureResult priorities(FigureSettings settings) {
    List<Named> policies =
        List.of(
            new Named("FIFO", new FirstCome()),
            new Named("RR", new RoundRobin()),
            biased(1),
            biased(5),
            biased(10),
            biased(20));
    Lines whole = new Lines();
    Lines makespan = new Lines();
    for (int trial = 0; trial < settings.trials(); trial++) {
      for (int place = 0; place < policies.size(); place++) {
        Named named = policies.get(place);
        ScanSettings scans = Way.WHOLE.settings(named.policy(), trial);
        List<ScanOutcome> outcomes = Workload.run(scans, Workload.SERVERS, byPriority(scans));
        add(whole, named.name(), outcomes);
        makespan.add("all", place, Workload.makespan(outcomes));
      }
      settings.progress().accept("trial " + trial);
    }
    Lines pages = pages(settings.withTrialsMax(3));
    Axis axis = Axis.named("in the order of arrival", ARRIVALS);
    return new FigureResult(
        new TreeMap<>(
            Map.of(
                "a",
                new Chart(
                    "Figure 12: completion by priority (whole partitions, one scheduler)",
                    axis,
                    Axis.linear("completion, s"),
                    whole.series(Series.Form.SEPARATE)),
                "b",
                new Chart(
                    "Figure 12: completion by priority (pages, granted by servers)",
                    axis,
                    Axis.linear("completion, s"),
                    pages.series(Series.Form.SEPARATE)))),
        SingleScans.CSV_HEADER + whole.csv("a,") + pages.csv("b,") + makespan.csv("makespan,"),
        priorityClaims(policies, whole, pages, makespan));
  }

  private static void add(Lines lines, String name, List<ScanOutcome> outcomes) {
    for (int i = 0; i < outcomes.size(); i++) {
      lines.add(name, i, outcomes.get(i).seconds());
    }
  }

  private static Lines pages(FigureSettings settings) {
    Lines pages = new Lines();
    for (int trial = 0; trial < settings.trials(); trial++) {
      for (double alpha : new double[] {10, 20}) {
        ScanSettings scans =
            Way.PAGES.settings(new PriorityBiased(alpha), trial).withPages(PAGE_SECONDS);
        add(pages, biased(alpha).name(), Workload.run(scans, Workload.SERVERS, byPriority(scans)));
      }
      ScanSettings scans =
          Way.PAGES.settings(new PriorityBiased(10), trial).withPages(PAGE_SECONDS);
      List<ScanOutcome> alone =
          Workload.run(scans, Workload.SERVERS, byPriority(scans).subList(6, 8));
      for (int i = 0; i < alone.size(); i++) {
        pages.add("gold alone", 6 + i, alone.get(i).seconds());
      }
      settings.progress().accept("pages, trial " + trial);
    }
    return pages;
  }

  private static List<Claim> priorityClaims(
      List<Named> policies, Lines whole, Lines pages, Lines makespan) {
    String ten = biased(10).name();
    String twenty = biased(20).name();
    double firstAt20 = whole.mean(twenty, 0);
    double silverAt20 = Math.max(whole.mean(twenty, 4), whole.mean(twenty, 5));
    double least = least(makespan, policies.size());
    double greatest = greatest(makespan, policies.size());
    double gold = (pages.mean(ten, 6) + pages.mean(ten, 7)) / 2;
    double alone = (pages.mean("gold alone", 6) + pages.mean("gold alone", 7)) / 2;
    return List.of(
        new Claim(
            "from α = 10 gold clearly comes first",
            levels(whole, ten) + "; " + levels(whole, twenty),
            Verdict.of(inOrder(whole, ten) && inOrder(whole, twenty))),
        new Claim(
            "even at α = 20 the first to arrive keeps its head start: hardly later than silver",
            String.format(
                Locale.ROOT,
                "%.0f s, the later silver %.0f s, the other bronze %.0f s",
                firstAt20,
                silverAt20,
                (whole.mean(twenty, 1) + whole.mean(twenty, 2) + whole.mean(twenty, 3)) / 3),
            Verdict.of(firstAt20 < silverAt20 * 1.2)),
        new Claim(
            "the completion of all is not affected by α",
            String.format(Locale.ROOT, "%.0f to %.0f s", least, greatest),
            Verdict.of(greatest <= least * 1.05)),
        new Claim(
            "(our aim) with pages and α = 10, gold within 10 % of gold alone",
            String.format(
                Locale.ROOT,
                "%.0f s, alone %.0f s: %+.0f %%",
                gold,
                alone,
                (gold / alone - 1) * 100),
            Verdict.of(gold <= alone * 1.1)));
  }

  private static boolean inOrder(Lines lines, String name) {
    double gold = Math.max(lines.mean(name, 6), lines.mean(name, 7));
    double silver = Math.min(lines.mean(name, 4), lines.mean(name, 5));
    return gold < silver;
  }

  private static String levels(Lines lines, String name) {
    return name
        + ": "
        + Stream.of(6, 7, 4, 5)
            .map(i -> String.format(Locale.ROOT, "%s %.0f s", ARRIVALS.get(i), lines.mean(name, i)))
            .collect(Collectors.joining(", "));
  }
}
