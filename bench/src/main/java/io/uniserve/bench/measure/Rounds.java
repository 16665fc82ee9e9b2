package io.uniserve.bench.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures contenders in rounds of one window each, after warming them up. What a contender leaves
 * behind, such as collected garbage or caches that hold its data, slows who comes next: the order
 * of the turns changes from round to round so that each follows each of the others equally often.
 */
public final class Rounds {

  private final List<Contender> contenders;
  private final MeasurePlan plan;
  private final Map<String, List<Window>> accepted = new LinkedHashMap<>();
  private final Map<String, Integer> rejected = new LinkedHashMap<>();

  private Rounds(List<Contender> contenders, MeasurePlan plan) {
    this.contenders = contenders;
    this.plan = plan;
    for (Contender contender : contenders) {
      accepted.put(contender.name(), new ArrayList<>());
      rejected.put(contender.name(), 0);
    }
  }

  /** The windows of each contender by its name, in the order of the contenders. */
  public static Map<String, Series> measure(List<Contender> contenders, MeasurePlan plan) {
    Rounds rounds = new Rounds(contenders, plan);
    for (Contender contender : contenders) {
      WarmUp.run(contender, plan.warmUpMax());
    }
    for (int round = 0; round < plan.roundsMax() && !rounds.complete(); round++) {
      for (int contender : order(round, contenders.size())) {
        rounds.window(round, contenders.get(contender));
      }
    }
    return rounds.series();
  }

  /**
   * A round's row of a Latin square in which the others of its contenders precede each equally
   * often: 0, 1, n-1, 2, n-2 and so on, moved by one in each round; of an odd number of contenders
   * also backwards, in every other n rounds. (E. J. Williams, Experimental designs balanced for the
   * estimation of residual effects of treatments, 1949.)
   */
  static int[] order(int round, int contenders) {
    int[] order = new int[contenders];
    boolean backwards = contenders % 2 == 1 && round / contenders % 2 == 1;
    for (int i = 0; i < contenders; i++) {
      int step = i % 2 == 1 ? (i + 1) / 2 : contenders - i / 2;
      order[backwards ? contenders - 1 - i : i] = (round + step) % contenders;
    }
    return order;
  }

  private boolean complete() {
    return accepted.values().stream().allMatch(windows -> windows.size() >= plan.rounds());
  }

  private void window(int round, Contender contender) {
    CpuMeter meter = CpuMeter.start(contender.processId());
    Latencies latencies = contender.run().apply(plan.window());
    CpuUse use = meter.stop();
    if (use.foreignCores() <= plan.foreignCoresMax()) {
      accepted.get(contender.name()).add(new Window(round, latencies, use));
    } else {
      rejected.merge(contender.name(), 1, Integer::sum);
    }
  }

  private Map<String, Series> series() {
    Map<String, Series> series = new LinkedHashMap<>();
    accepted.forEach((name, windows) -> series.put(name, new Series(windows, rejected.get(name))));
    return series;
  }
}
