package io.uniserve.bench.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures contenders in rounds of one window each, in changing order, after warming them up. */
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
      for (int i = 0; i < contenders.size(); i++) {
        rounds.window(round, contenders.get((round + i) % contenders.size()));
      }
    }
    return rounds.series();
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
