package io.uniserve.bench.search;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.measure.Contender;
import io.uniserve.bench.measure.Footprint;
import io.uniserve.bench.measure.MeasurePlan;
import io.uniserve.bench.measure.Rounds;
import io.uniserve.bench.systems.SearchSystem;
import io.uniserve.bench.systems.SystemNames;
import io.uniserve.bench.tasks.Workload;
import io.uniserve.bench.tasks.Workloads;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The benchmark itself: it checks and measures open systems. */
final class SearchBenchmark {

  private final List<SearchSystem> systems;
  private final MeasurePlan plan;
  private final PrintStream progress;

  SearchBenchmark(List<SearchSystem> systems, MeasurePlan plan, PrintStream progress) {
    this.systems = List.copyOf(systems);
    this.plan = plan;
    this.progress = progress;
  }

  /** Compares every other system's answers with those of the bare engine. */
  List<AnswerComparison> compare(List<Workload> workloads) {
    SearchSystem reference = reference();
    List<AnswerComparison> comparisons = new ArrayList<>();
    for (Workload workload : workloads) {
      for (SearchSystem system : systems) {
        if (system != reference) {
          AnswerComparison comparison = AnswerComparison.of(reference, system, workload);
          comparisons.add(comparison);
          progress.printf(
              "checked %s on %s: %d of %d answers differ%n",
              workload.name(),
              system.name(),
              comparison.differences().size(),
              comparison.queries());
        }
      }
    }
    return comparisons;
  }

  /**
   * Measures each workload.
   *
   * @param first the time of one step of the warm-up: each system answers each kind of cheap
   *     request for this time, and then all workloads for this time together
   */
  List<SearchRow> measure(List<Workload> workloads, List<Integer> clients, Duration first) {
    systems.forEach(system -> warmUp(system, workloads, Collections.max(clients), first));
    List<SearchRow> rows = new ArrayList<>();
    for (Workload workload : workloads) {
      for (int count : clients) {
        SearchRow row =
            new SearchRow(
                workload.name(), count, Rounds.measure(contenders(workload, count), plan));
        rows.add(row);
        progress.println(SearchTables.series(List.of(row)));
      }
    }
    return rows;
  }

  /**
   * Lets a system compile its code before the first measurement: first the code of any request,
   * then that of each workload, which gets its share of the time.
   */
  private void warmUp(SearchSystem system, List<Workload> workloads, int clients, Duration first) {
    progress.println("warming up " + system.name());
    Workloads.cheapest().forEach(cheap -> system.run(cheap, clients, first));
    Duration share = first.dividedBy(workloads.size());
    workloads.forEach(workload -> system.run(workload, clients, share));
  }

  private List<Contender> contenders(Workload workload, int clients) {
    return systems.stream()
        .map(
            system ->
                new Contender(
                    system.name(), system.processId(), time -> system.run(workload, clients, time)))
        .toList();
  }

  Map<String, Footprint> footprints() {
    Map<String, Footprint> footprints = new LinkedHashMap<>();
    systems.forEach(system -> footprints.put(system.name(), Footprint.of(system.processId())));
    return footprints;
  }

  private SearchSystem reference() {
    return systems.stream()
        .filter(system -> system.name().equals(SystemNames.BARE))
        .findFirst()
        .orElseThrow(() -> new BenchException("Answers are checked against " + SystemNames.BARE));
  }
}
