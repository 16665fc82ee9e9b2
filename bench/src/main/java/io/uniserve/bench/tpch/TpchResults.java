package io.uniserve.bench.tpch;

import io.uniserve.bench.measure.Spread;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * The results.
 *
 * @param conditions the conditions of the measurement
 * @param systems the titles of the systems that took part, Uniserve first
 * @param rows one for each query
 * @param differences a line for each answer that was wrong or missing
 * @param states the state of the processes at the end, by title
 */
record TpchResults(
    Map<String, String> conditions,
    List<String> systems,
    List<TpchRow> rows,
    List<String> differences,
    Map<String, SystemState> states) {

  /**
   * The state of a system at the end.
   *
   * @param loadNanos the time to load all rows
   * @param residentBytes the memory in RAM after the last query
   * @param peakBytes the most memory in RAM
   */
  record SystemState(long rows, long loadNanos, long residentBytes, long peakBytes) {}

  /**
   * Returns the geometric mean of a value over the queries that have it.
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

  /** Returns the geometric mean of the ratios of times; see {@link #geometricMean}. */
  OptionalDouble meanRatio(String system, String other) {
    return geometricMean(row -> row.timeRatio(system, other).map(Spread::median));
  }
}
