package io.uniserve.simulation.figure.scan;

import io.uniserve.policy.scanning.AnyScan;
import io.uniserve.policy.scanning.FirstCome;
import io.uniserve.policy.scanning.PriorityBiased;
import io.uniserve.policy.scanning.RoundRobin;
import io.uniserve.simulation.figure.result.Claim;
import io.uniserve.simulation.figure.result.Claim.Verdict;
import io.uniserve.simulation.figure.result.FigureResult;
import io.uniserve.simulation.figure.result.FigureSettings;
import io.uniserve.simulation.figure.scan.NamedPolicy.Priority;
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

/** Figure 10: policies that prefer short scans. */
final class LengthPolicies {
  private static final int[] LENGTHS = {1, 2, 4, 8};
  private static final int CLIENTS = 4;

  private LengthPolicies() {}

  private static List<NamedPolicy> policies(double... alphas) {
    List<NamedPolicy> all =
        new ArrayList<>(
            List.of(
                new NamedPolicy("FIFO", new FirstCome()),
                new NamedPolicy("random", new AnyScan(1)),
                new NamedPolicy("RR", new RoundRobin())));
    Arrays.stream(alphas).mapToObj(NamedPolicy::biased).forEach(all::add);
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
    List<NamedPolicy> policies = policies(1, 2, -2);
    policies.add(new NamedPolicy("α = 2, rest", new PriorityBiased(2), Priority.REST));
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
    Axis axis = Axis.named("", policies.stream().map(NamedPolicy::name).toList());
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
      List<NamedPolicy> policies, Lines first, Lines mean, Lines makespan) {
    double fifo = overall(first, 0);
    double robin = overall(first, 2);
    String brief = "1 %";
    String longest = "8 %";
    int positive = 4;
    int negative = 5;
    double least = makespan.least("all");
    double greatest = makespan.greatest("all");
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

  private static double mean(List<ScanOutcome> outcomes, ToDoubleFunction<ScanOutcome> of) {
    return outcomes.stream().mapToDouble(of).average().orElseThrow();
  }
}
