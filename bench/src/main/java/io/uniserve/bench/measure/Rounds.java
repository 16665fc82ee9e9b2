package io.uniserve.bench.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A measurement of contenders in rounds of one window each, after a warm-up. A contender leaves
 * effects behind, such as garbage to collect or caches filled with its data, and slows its
 * successor. Therefore the order changes from round to round, so that each follows each of the
 * others equally often.
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

  /** Returns the windows of each contender by its name, in the order of the contenders. */
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
   * Returns the order of the contenders in a round: a row of a Latin square in which each contender
   * follows each of the others equally often. The rows are 0, 1, n-1, 2, n-2 and so on, shifted by
   * one in each round. If the number of contenders is odd, every other n rounds use the reverse
   * order. (E. J. Williams, Experimental designs balanced for the estimation of residual effects of
   * treatments, 1949.)
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
    CpuMeter meter = CpuMeter.start(contender.processIds());
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
