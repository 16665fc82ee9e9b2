package io.uniserve.bench.tpch;

import io.uniserve.bench.measure.Spread;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * What was measured.
 *
 * @param conditions what was measured and how
 * @param systems the titles of those that took part, Uniserve first
 * @param rows one for each query
 * @param differences a line for each answer that was wrong or did not come
 * @param states of the processes at the end, by title
 */
record TpchResults(
    Map<String, String> conditions,
    List<String> systems,
    List<TpchRow> rows,
    List<String> differences,
    Map<String, SystemState> states) {

  /**
   * A system at the end.
   *
   * @param loadNanos how long all rows took to be loaded
   * @param residentBytes in RAM after the last query
   * @param peakBytes in RAM at most
   */
  record SystemState(long rows, long loadNanos, long residentBytes, long peakBytes) {}

  /**
   * The geometric mean of a value over the queries that have it.
   *
   * @return empty if one of them does not
   */
  OptionalDouble geometricMean(Function<TpchRow, Optional<Double>> value) {
    double logarithms = 0;
    for (TpchRow row : rows) {
      Optional<Double> one = value.apply(row);
      if (one.isEmpty() || one.get() <= 0) {
        return OptionalDouble.empty();
      }
      logarithms += Math.log(one.get());
    }
    return rows.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(Math.exp(logarithms / rows.size()));
  }

  /** The geometric mean of the ratios of times; see {@link #geometricMean}. */
  OptionalDouble meanRatio(String system, String other) {
    return geometricMean(row -> row.timeRatio(system, other).map(Spread::median));
  }
}
