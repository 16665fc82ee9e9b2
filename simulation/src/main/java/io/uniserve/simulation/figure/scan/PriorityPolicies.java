package io.uniserve.simulation.figure.scan;

import io.uniserve.policy.scanning.FirstCome;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Figure 12: scans of higher priority. */
final class PriorityPolicies {
  private static final double[] PRIORITIES = {4, 4, 4, 4, 2, 2, 1, 1};
  private static final List<String> ARRIVALS =
      List.of("bronze", "bronze", "bronze", "bronze", "silver", "silver", "gold", "gold");

  /** The time between two arrivals in figure 12. */
  private static final double STAGGER_SECONDS = 2;

  private static final double PAGE_SECONDS = 0.1;

  private PriorityPolicies() {}

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
    List<NamedPolicy> policies =
        List.of(
            new NamedPolicy("FIFO", new FirstCome()),
            new NamedPolicy("RR", new RoundRobin()),
            NamedPolicy.biased(1),
            NamedPolicy.biased(5),
            NamedPolicy.biased(10),
            NamedPolicy.biased(20));
    Lines whole = new Lines();
    Lines makespan = new Lines();
    for (int trial = 0; trial < settings.trials(); trial++) {
      for (int place = 0; place < policies.size(); place++) {
        NamedPolicy named = policies.get(place);
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
        priorityClaims(whole, pages, makespan));
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
        add(
            pages,
            NamedPolicy.biased(alpha).name(),
            Workload.run(scans, Workload.SERVERS, byPriority(scans)));
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

  private static List<Claim> priorityClaims(Lines whole, Lines pages, Lines makespan) {
    String ten = NamedPolicy.biased(10).name();
    String twenty = NamedPolicy.biased(20).name();
    double firstAt20 = whole.mean(twenty, 0);
    double silverAt20 = Math.max(whole.mean(twenty, 4), whole.mean(twenty, 5));
    double least = makespan.least("all");
    double greatest = makespan.greatest("all");
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
