package io.uniserve.bench.search;

import io.uniserve.bench.measure.Footprint;
import java.util.List;
import java.util.Map;

/**
 * Everything that a run of the search benchmark found.
 *
 * @param conditions what was measured and how, in the order of the report
 * @param leftOut kinds of queries that were not run, with the reason
 * @param footprints by name of the system, after all measurements
 */
public record SearchResults(
    Map<String, String> conditions,
    Map<String, String> leftOut,
    List<AnswerComparison> comparisons,
    List<SearchRow> rows,
    Map<String, Footprint> footprints) {}
