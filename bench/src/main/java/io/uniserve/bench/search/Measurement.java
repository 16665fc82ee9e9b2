package io.uniserve.bench.search;

import io.uniserve.bench.measure.CpuMeter;
import io.uniserve.bench.measure.CpuUse;
import io.uniserve.bench.measure.Latencies;
import io.uniserve.bench.measure.Series;
import io.uniserve.bench.measure.Window;
import io.uniserve.bench.systems.SearchSystem;
import io.uniserve.bench.tasks.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures all systems under one workload and one number of clients, in rounds of one window each,
 * in changing order.
 */
final class Measurement {

  private final List<SearchSystem> systems;
  private final MeasurePlan plan;
  private final Map<String, List<Window>> accepted = new LinkedHashMap<>();
  private final Map<String, Integer> rejected = new LinkedHashMap<>();

  private Measurement(List<SearchSystem> systems, MeasurePlan plan) {
    this.systems = systems;
    this.plan = plan;
    for (SearchSystem system : systems) {
      accepted.put(system.name(), new ArrayList<>());
      rejected.put(system.name(), 0);
    }
  }

  static SearchRow take(
      List<SearchSystem> systems, Workload workload, int clients, MeasurePlan plan) {
    Measurement measurement = new Measurement(systems, plan);
    for (SearchSystem system : systems) {
      WarmUp.run(system, workload, clients, plan.warmUpMax());
    }
    for (int round = 0; round < plan.roundsMax() && !measurement.complete(); round++) {
      for (int i = 0; i < systems.size(); i++) {
        measurement.window(round, systems.get((round + i) % systems.size()), workload, clients);
      }
    }
    return new SearchRow(workload.name(), clients, measurement.series());
  }

  private boolean complete() {
    return accepted.values().stream().allMatch(windows -> windows.size() >= plan.rounds());
  }

  private void window(int round, SearchSystem system, Workload workload, int clients) {
    CpuMeter meter = CpuMeter.start(system.processId());
    Latencies latencies = system.run(workload, clients, plan.window());
    CpuUse use = meter.stop();
    if (use.foreignCores() <= plan.foreignCoresMax()) {
      accepted.get(system.name()).add(new Window(round, latencies, use));
    } else {
      rejected.merge(system.name(), 1, Integer::sum);
    }
  }

  private Map<String, Series> series() {
    Map<String, Series> series = new LinkedHashMap<>();
    accepted.forEach((name, windows) -> series.put(name, new Series(windows, rejected.get(name))));
    return series;
  }
}
