package io.uniserve.simulation.figure.scan;

import io.uniserve.policy.scanning.GrantPolicy;
import io.uniserve.policy.scanning.PriorityBiased;
import io.uniserve.policy.scanning.RoundRobin;
import io.uniserve.simulation.figure.result.Claim;
import io.uniserve.simulation.figure.result.Claim.Verdict;
import io.uniserve.simulation.figure.result.FigureResult;
import io.uniserve.simulation.figure.result.FigureSettings;
import io.uniserve.simulation.figure.scan.Workload.Ranges;
import io.uniserve.simulation.plot.Axis;
import io.uniserve.simulation.plot.Chart;
import io.uniserve.simulation.plot.Series;
import io.uniserve.simulation.scan.ScanOutcome;
import io.uniserve.simulation.scan.ScanQuery;
import io.uniserve.simulation.scan.ScanSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * The experiment at scale (PNUTS §5.4.1): figure 12 with alpha = 10, 10 to 200 servers and 8 to 160
 * scans; and what it costs that each server grants its own slots.
 */
final class ScanScale {
  private static final List<String> LEVELS = List.of("gold", "silver", "bronze");
  private static final double[] PRIORITIES = {1, 2, 4};

  /** The scans of each level for ten servers. */
  private static final int[] COUNTS = {2, 2, 4};

  private static final double[] PAPER_SECONDS = {400, 700, 1_200};
  private static final String MAKESPAN = "all";
  private static final double STAGGER_SECONDS = 0.1;
  private static final double PAGE_SECONDS = 1;

  /** The most runs of each kind with pages, which have thirty times as many events. */
  private static final int PAGED_TRIALS_MAX = 2;

  private final FigureSettings settings;
  private final int[] sizes;

  private ScanScale(FigureSettings settings) {
    this.settings = settings;
    sizes = settings.small() ? new int[] {10, 20} : new int[] {10, 20, 50, 100, 200};
  }

  static FigureResult make(FigureSettings settings) {
    return new ScanScale(settings).result();
  }

  private FigureResult result() {
    GrantPolicy biased = new PriorityBiased(10);
    Lines central = run(ScanSettings.paper(biased, 0), settings.trials());
    Lines servers = run(ScanSettings.paper(biased, 0).atServers(), settings.trials());
    Map<String, Lines[]> pairs = new LinkedHashMap<>();
    pairs.put("α = 10, whole", new Lines[] {central, servers});
    pairs.put(
        "RR, whole",
        new Lines[] {
          run(ScanSettings.paper(new RoundRobin(), 0), settings.trials()),
          run(ScanSettings.paper(new RoundRobin(), 0).atServers(), settings.trials())
        });
    int paged = Math.min(PAGED_TRIALS_MAX, settings.trials());
    ScanSettings pages = ScanSettings.paper(biased, 0).withPages(PAGE_SECONDS);
    pairs.put("α = 10, pages", new Lines[] {run(pages, paged), run(pages.atServers(), paged)});
    StringBuilder csv = new StringBuilder("kind,granted by,level,servers,mean,least,greatest\n");
    List<Claim> claims = new ArrayList<>(paperClaims(central));
    List<Series> losses = new ArrayList<>();
    pairs.forEach(
        (kind, pair) -> {
          csv.append(pair[0].csv(kind + ",one,")).append(pair[1].csv(kind + ",servers,"));
          claims.addAll(costs(kind, pair[0], pair[1]));
          losses.add(loss(kind, pair[0], pair[1]));
        });
    return new FigureResult(
        new TreeMap<>(
            Map.of(
                "a",
                new Chart(
                    "At scale: completion by priority, α = 10, one scheduler",
                    Axis.linear("servers"),
                    Axis.linear("completion, mean, s"),
                    central.series(Series.Form.LINE)),
                "b",
                new Chart(
                    "Granted by each server, against one scheduler",
                    Axis.linear("servers"),
                    Axis.linear("mean completion of gold, % of one scheduler's"),
                    losses))),
        csv.toString(),
        claims);
  }

  private Lines run(ScanSettings scans, int trials) {
    Lines lines = new Lines();
    for (int size : sizes) {
      for (int trial = 0; trial < trials; trial++) {
        ScanSettings seeded =
            new ScanSettings(
                scans.policy(),
                scans.pageSeconds(),
                scans.messageSeconds(),
                scans.bufferKb(),
                scans.noise(),
                trial);
        List<ScanOutcome> outcomes = Workload.run(seeded, size, queries(trial, size));
        for (int level = 0; level < LEVELS.size(); level++) {
          double priority = PRIORITIES[level];
          lines.add(
              LEVELS.get(level),
              size,
              outcomes.stream()
                  .filter(one -> one.query().priority().orElseThrow() == priority)
                  .mapToDouble(ScanOutcome::seconds)
                  .average()
                  .orElseThrow());
        }
        lines.add(MAKESPAN, size, Workload.makespan(outcomes));
        settings.progress().accept(scans.policy().name() + ", " + size + " servers");
      }
    }
    return lines;
  }

  /** Returns scans of 4 % of the table at K = 10, the least urgent first. */
  private static List<ScanQuery> queries(long seed, int servers) {
    Ranges ranges = new Ranges(seed);
    List<ScanQuery> queries = new ArrayList<>();
    int scale = servers / Workload.SERVERS;
    for (int level = LEVELS.size() - 1; level >= 0; level--) {
      for (int i = 0; i < COUNTS[level] * scale; i++) {
        queries.add(
            ranges.scan(
                queries.size() * STAGGER_SECONDS / scale,
                0.04,
                Workload.fixed(Workload.SERVERS),
                OptionalDouble.of(PRIORITIES[level])));
      }
    }
    return queries;
  }

  private List<Claim> paperClaims(Lines central) {
    List<String> means = new ArrayList<>();
    long near = 0;
    for (int level = 0; level < LEVELS.size(); level++) {
      double mean = central.mean(LEVELS.get(level), sizes[0]);
      means.add(String.format(Locale.ROOT, "%s %.0f s", LEVELS.get(level), mean));
      near += Math.abs(mean / PAPER_SECONDS[level] - 1) <= 0.25 ? 1 : 0;
    }
    List<String> growth = new ArrayList<>();
    long constant = 0;
    for (String level : LEVELS) {
      double ratio =
          central.mean(level, sizes[sizes.length - 1]) / central.mean(level, sizes[0]) - 1;
      growth.add(String.format(Locale.ROOT, "%s %+.0f %%", level, ratio * 100));
      constant += Math.abs(ratio) <= 0.1 ? 1 : 0;
    }
    return List.of(
        new Claim(
            "10 servers, 8 scans: means of 400 s (gold), 700 s (silver), 1,200 s (bronze)",
            String.join(", ", means),
            Verdict.of(near, LEVELS.size())),
        new Claim(
            "they stay the same up to 200 servers and 160 scans",
            String.join(", ", growth),
            Verdict.of(constant, LEVELS.size())));
  }

  private List<Claim> costs(String kind, Lines one, Lines servers) {
    double makespan = worst(MAKESPAN, one, servers);
    List<String> means = new ArrayList<>();
    long holding = 0;
    for (String level : LEVELS) {
      double worst = worst(level, one, servers);
      means.add(String.format(Locale.ROOT, "%s %+.0f %%", level, worst * 100));
      holding += worst <= 0.105 ? 1 : 0;
    }
    return List.of(
        new Claim(
            "(our aim) granted by servers, all ends within 5 % of one scheduler's: " + kind,
            String.format(Locale.ROOT, "at most %+.1f %%", makespan * 100),
            Verdict.of(makespan <= 0.05)),
        new Claim(
            "(our aim) means within 10 %: " + kind,
            "at most " + String.join(", ", means),
            Verdict.of(holding, LEVELS.size())));
  }

  private double worst(String level, Lines one, Lines servers) {
    return Arrays.stream(sizes)
        .mapToDouble(size -> servers.mean(level, size) / one.mean(level, size) - 1)
        .max()
        .orElseThrow();
  }

  private Series loss(String kind, Lines one, Lines servers) {
    return new Series(
        kind,
        Series.Form.LINE,
        Arrays.stream(sizes)
            .mapToObj(
                size ->
                    Series.Point.of(
                        size, 100 * servers.mean("gold", size) / one.mean("gold", size)))
            .toList());
  }
}
