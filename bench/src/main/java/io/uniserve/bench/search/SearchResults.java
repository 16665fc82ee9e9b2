package io.uniserve.bench.search;

import io.uniserve.bench.measure.Footprint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * All findings of a run of the search benchmark.
 *
 * @param conditions the conditions of the measurement, in the order of the report
 * @param leftOut the kinds of queries that were not run, with the reason
 * @param footprints the footprints by name of the system, after all measurements of its last life
 */
public record SearchResults(
    Map<String, String> conditions,
    Map<String, String> leftOut,
    List<AnswerComparison> comparisons,
    List<SearchRow> rows,
    Map<String, Footprint> footprints) {

  /**
   * Returns these results together with those of a later life of each process, with the footprints
   * of the later life.
   *
   * @param rounds see {@link io.uniserve.bench.measure.Series#and}
   */
  SearchResults and(SearchResults later, int rounds) {
    List<AnswerComparison> answers =
        Stream.concat(comparisons.stream(), later.comparisons.stream()).distinct().toList();
    List<SearchRow> both = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      both.add(rows.get(i).and(later.rows.get(i), rounds));
    }
    return new SearchResults(conditions, leftOut, answers, both, later.footprints);
  }
}
