package io.uniserve.bench.search;

import io.uniserve.bench.BenchException;
import io.uniserve.bench.measure.Contender;
import io.uniserve.bench.measure.MeasurePlan;
import io.uniserve.bench.measure.Memory;
import io.uniserve.bench.measure.Rounds;
import io.uniserve.bench.systems.SearchSystem;
import io.uniserve.bench.systems.SystemNames;
import io.uniserve.bench.tasks.Workload;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Checks and measures open systems. */
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

  List<SearchRow> measure(List<Workload> workloads, List<Integer> clients) {
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

  private List<Contender> contenders(Workload workload, int clients) {
    return systems.stream()
        .map(
            system ->
                new Contender(
                    system.name(), system.processId(), time -> system.run(workload, clients, time)))
        .toList();
  }

  Map<String, Memory> memory() {
    Map<String, Memory> memory = new LinkedHashMap<>();
    systems.forEach(system -> memory.put(system.name(), Memory.of(system.processId())));
    return memory;
  }

  private SearchSystem reference() {
    return systems.stream()
        .filter(system -> system.name().equals(SystemNames.BARE))
        .findFirst()
        .orElseThrow(() -> new BenchException("Answers are checked against " + SystemNames.BARE));
  }
}
