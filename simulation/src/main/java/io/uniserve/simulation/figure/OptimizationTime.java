package io.uniserve.simulation.figure;

import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.PlacementPolicy;
import io.uniserve.policy.placement.BalanceSettings;
import io.uniserve.policy.placement.GetafixPlus;
import io.uniserve.policy.placement.Podp;
import io.uniserve.policy.placement.PodpSettings;
import io.uniserve.policy.placement.milp.MilpSolver;
import io.uniserve.simulation.figure.result.Claim;
import io.uniserve.simulation.figure.result.Claim.Verdict;
import io.uniserve.simulation.figure.result.FigureResult;
import io.uniserve.simulation.figure.result.FigureSettings;
import io.uniserve.simulation.plot.Axis;
import io.uniserve.simulation.plot.Chart;
import io.uniserve.simulation.plot.Series;
import io.uniserve.simulation.plot.Series.Point;
import io.uniserve.simulation.queueing.Snapshots;
import io.uniserve.solvers.MachineCompute;
import io.uniserve.solvers.OrToolsSolver;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** Figure 15: the time of a decision. It is the only figure that depends on the machine. */
final class OptimizationTime {
  private static final long MILLIS_MAX = 60_000;
  private static final int REPETITIONS = 3;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final String SUITED = "PODP, servers / query size";

  private OptimizationTime() {}

  static FigureResult make(FigureSettings settings) {
    int[] sizes = settings.small() ? new int[] {50} : new int[] {50, 100, 200, 400, 600, 1000};
    MilpSolver solver = OrToolsSolver.load();
    Map<String, List<Point>> times = new LinkedHashMap<>();
    StringBuilder csv = new StringBuilder("servers,policy,seconds,summary\n");
    try (MachineCompute compute = new MachineCompute(Runtime.getRuntime().availableProcessors())) {
      for (int servers : sizes) {
        ClusterLoad cluster = snapshot(servers);
        policies(solver, compute)
            .forEach(
                (name, policy) -> {
                  double seconds = seconds(policy, cluster);
                  times
                      .computeIfAbsent(name, key -> new ArrayList<>())
                      .add(Point.of(servers, seconds));
                  csv.append(
                      String.format(
                          Locale.ROOT,
                          "%d,\"%s\",%.3f,\"%s\"%n",
                          servers,
                          name,
                          seconds,
                          policy.place(cluster).summary()));
                  settings
                      .progress()
                      .accept(
                          String.format(
                              Locale.ROOT, "%d servers, %s: %.2f s", servers, name, seconds));
                });
      }
    }
    return result(times, csv.toString());
  }

  private static ClusterLoad snapshot(int servers) {
    Scenario scenario = Scale.scenario(servers);
    return Snapshots.of(
        scenario.farm(),
        scenario.mix(),
        Snapshots.randomFill(servers, servers * 10, 0),
        new TreeSet<>());
  }

  private static Map<String, PlacementPolicy> policies(MilpSolver solver, MachineCompute compute) {
    PodpSettings podp =
        PodpSettings.DEFAULT.withBalance(BalanceSettings.DEFAULT.withMillisMax(MILLIS_MAX));
    Map<String, PlacementPolicy> policies = new LinkedHashMap<>();
    policies.put("Getafix+", new GetafixPlus(BalanceSettings.DEFAULT));
    policies.put("PODP, 1 sub-problem", new Podp(podp.withParts(1), solver, compute));
    policies.put("PODP, 5", new Podp(podp.withParts(5), solver, compute));
    policies.put(SUITED, new Podp(podp, solver, compute));
    return policies;
  }

  /** Returns the least of some times, after the first run has warmed the machine up. */
  private static double seconds(PlacementPolicy policy, ClusterLoad cluster) {
    double least = Double.POSITIVE_INFINITY;
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
      long begin = System.nanoTime();
      policy.place(cluster);
      least = Math.min(least, (System.nanoTime() - begin) / NANOS_PER_SECOND);
    }
    return least;
  }

  private static FigureResult result(Map<String, List<Point>> times, String csv) {
    List<Series> lines =
        times.entrySet().stream()
            .map(entry -> new Series(entry.getKey(), Series.Form.LINE, entry.getValue()))
            .toList();
    double own = times.get(SUITED).getLast().y();
    double packing = times.get("Getafix+").getLast().y();
    double undivided = times.get("PODP, 1 sub-problem").getLast().y();
    String here =
        String.format(
            Locale.ROOT,
            "at the largest size %.2f s, undivided %.2f s, Getafix+ %.2f s",
            own,
            undivided,
            packing);
    return new FigureResult(
        new Chart(
            "Figure 15: time of a decision",
            Axis.logarithmic("servers, 10 shards each"),
            Axis.logarithmic("seconds"),
            lines),
        csv,
        List.of(
            new Claim("under 32 s with 600 servers (4 cores, CPLEX)", here, Verdict.of(own < 32)),
            new Claim(
                "some number of sub-problems takes about as long as Getafix+",
                here,
                Verdict.of(Math.min(own, undivided) < 3 * packing)),
            new Claim(
                "sub-problems make it more than 100 times faster than one problem",
                here + "; search makes the undivided problem fast too",
                Verdict.of(own * 100 < undivided))));
  }
}
