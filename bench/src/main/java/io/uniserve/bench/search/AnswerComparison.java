package io.uniserve.bench.search;

import io.uniserve.bench.answers.Answer;
import io.uniserve.bench.answers.AnswerCheck;
import io.uniserve.bench.systems.SearchSystem;
import io.uniserve.bench.tasks.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The degree to which a system's answers to one workload agree with the reference's.
 *
 * @param queries the number of queries that were compared
 * @param differences one line for each query with a different answer
 */
public record AnswerComparison(
    String system, Workload workload, int queries, List<String> differences) {

  static AnswerComparison of(SearchSystem reference, SearchSystem system, Workload workload) {
    List<String> differences = new ArrayList<>();
    for (String query : workload.queries()) {
      Answer expected = reference.answer(workload.answers(), query);
      Answer actual = system.answer(workload.answers(), query);
      Optional<String> difference = AnswerCheck.difference(expected, actual, workload.scores());
      difference.ifPresent(text -> differences.add(query + ": " + text));
    }
    return new AnswerComparison(
        system.name(), workload, workload.queries().size(), List.copyOf(differences));
  }

  public boolean equal() {
    return differences.isEmpty();
  }
}
