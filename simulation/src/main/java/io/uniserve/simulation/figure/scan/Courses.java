package io.uniserve.simulation.figure.scan;

import io.uniserve.policy.scanning.FirstCome;
import io.uniserve.policy.scanning.PriorityBiased;
import io.uniserve.simulation.figure.result.Claim;
import io.uniserve.simulation.figure.result.Claim.Verdict;
import io.uniserve.simulation.figure.result.FigureResult;
import io.uniserve.simulation.figure.result.FigureSettings;
import io.uniserve.simulation.figure.scan.Workload.Way;
import io.uniserve.simulation.plot.Axis;
import io.uniserve.simulation.plot.Chart;
import io.uniserve.simulation.plot.Series;
import io.uniserve.simulation.scan.ScanOutcome;
import io.uniserve.simulation.scan.ScanOutcome.Sample;
import io.uniserve.simulation.scan.ScanQuery;
import io.uniserve.simulation.scan.ScanSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** Figures 7 and 11: the course of one run. */
final class Courses {
  private static final double CLIENT_KB = 1_000;
  private static final double UNTIL_SECONDS = 60;

  /** The range begins where a partition does, so that no short piece ends early. */
  private static final int FROM_PARTITION = 100;

  /** The beginning of a run, during which figure 11 shows it. */
  private static final double BEGINNING_SECONDS = 400;

  private Courses() {}

  static FigureResult parallelism(FigureSettings settings) {
    ScanSettings scans = Way.WHOLE.settings(new FirstCome(), 1);
    List<Sample> samples =
        Workload.traced(
                scans,
                List.of(
                    new ScanQuery(
                        0,
                        FROM_PARTITION,
                        0.01 * Workload.PARTITIONS,
                        Workload.TENTH,
                        CLIENT_KB,
                        Workload.adaptive(scans),
                        OptionalDouble.of(1))))
            .getFirst()
            .samples();
    settings.progress().accept("traced");
    List<Sample> shown =
        samples.stream().filter(sample -> sample.seconds() <= UNTIL_SECONDS).toList();
    StringBuilder csv = new StringBuilder("seconds,desired,held\n");
    shown.forEach(
        sample ->
            csv.append(
                String.format(
                    Locale.ROOT,
                    "%.2f,%d,%d%n",
                    sample.seconds(),
                    sample.desired(),
                    sample.held())));
    Sample five =
        shown.stream().filter(sample -> sample.desired() == 5).findFirst().orElse(shown.getLast());
    Sample back =
        shown.stream()
            .filter(sample -> sample.seconds() > five.seconds() && sample.desired() == 4)
            .findFirst()
            .orElse(shown.getLast());
    Sample follows =
        shown.stream()
            .filter(sample -> sample.seconds() > back.seconds() && sample.held() <= 4)
            .findFirst()
            .orElse(shown.getLast());
    int most = shown.stream().mapToInt(Sample::desired).max().orElse(0);
    return new FigureResult(
        new Chart(
            "Figure 7: ASA over time, client of 1,000 KB/s",
            Axis.linear("s"),
            Axis.linear("servers"),
            List.of(
                steps("desired", shown, Sample::desired), steps("actual", shown, Sample::held))),
        csv.toString(),
        List.of(
            new Claim(
                "asks for 5 servers, and goes back to 4",
                String.format(
                    Locale.ROOT,
                    "asks for %d at %.0f s, for 4 again at %.0f s",
                    most,
                    five.seconds(),
                    back.seconds()),
                Verdict.of(most == 5 && back.seconds() < 15)),
            new Claim(
                "the fifth goes on; actual follows at about 45 s",
                String.format(Locale.ROOT, "at %.0f s", follows.seconds()),
                Verdict.of(follows.seconds() > 35 && follows.seconds() < 50))));
  }

  /** Returns a line that changes at each sample, and stays between. */
  private static Series steps(String name, List<Sample> samples, ToDoubleFunction<Sample> of) {
    List<Series.Point> points = new ArrayList<>();
    double before = 0;
    for (Sample sample : samples) {
      points.add(Series.Point.of(sample.seconds(), before));
      before = of.applyAsDouble(sample);
      points.add(Series.Point.of(sample.seconds(), before));
    }
    return new Series(name, Series.Form.CURVE, points);
  }

  static FigureResult received(FigureSettings settings) {
    ScanSettings scans = Way.WHOLE.settings(new PriorityBiased(2), 1);
    List<ScanOutcome> outcomes =
        Workload.traced(scans, LengthPolicies.byLength(scans, NamedPolicy.Priority.WHOLE));
    settings.progress().accept("traced");
    ScanOutcome brief = LengthPolicies.ofLength(outcomes, 1).getFirst();
    ScanOutcome longest = LengthPolicies.ofLength(outcomes, 8).getFirst();
    StringBuilder csv = new StringBuilder("scan,seconds,kb\n");
    List<Series> series = new ArrayList<>();
    for (ScanOutcome one : List.of(brief, longest)) {
      String name = one == brief ? "1 % of the table" : "8 % of the table";
      List<Sample> shown =
          one.samples().stream().filter(at -> at.seconds() <= BEGINNING_SECONDS).toList();
      shown.forEach(
          at ->
              csv.append(
                  String.format(
                      Locale.ROOT, "%s,%.1f,%.0f%n", name, at.seconds(), at.consumedKb())));
      series.add(
          new Series(
              name,
              Series.Form.CURVE,
              shown.stream().map(at -> Series.Point.of(at.seconds(), at.consumedKb())).toList()));
    }
    double briefPause = pause(brief);
    double longPause = pause(longest);
    return new FigureResult(
        new Chart(
            "Figure 11: what two scans have received, alpha = 2",
            Axis.linear("s"),
            Axis.linear("KB"),
            series),
        csv.toString(),
        List.of(
            new Claim(
                "the short scan gets results faster",
                String.format(
                    Locale.ROOT,
                    "%.0f KB/s over its life, the long one %.0f KB/s in the same time",
                    rate(brief, brief.endSeconds()),
                    rate(longest, brief.endSeconds())),
                Verdict.of(rate(brief, brief.endSeconds()) > rate(longest, brief.endSeconds()))),
            new Claim(
                "with shorter periods without results",
                String.format(
                    Locale.ROOT, "the longest: %.0f s against %.0f s", briefPause, longPause),
                Verdict.of(briefPause < longPause))));
  }

  private static double rate(ScanOutcome scan, double until) {
    return scan.samples().stream()
            .filter(at -> at.seconds() <= until)
            .mapToDouble(Sample::consumedKb)
            .max()
            .orElse(0)
        / until;
  }

  /** Returns the longest time without results. */
  private static double pause(ScanOutcome scan) {
    double longest = 0;
    Sample last = scan.samples().getFirst();
    for (Sample at : scan.samples()) {
      if (at.consumedKb() > last.consumedKb()) {
        last = at;
      }
      longest = Math.max(longest, at.seconds() - last.seconds());
    }
    return longest;
  }
}
