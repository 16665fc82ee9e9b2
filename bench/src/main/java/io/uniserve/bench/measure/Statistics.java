package io.uniserve.bench.measure;

import java.util.Arrays;
import java.util.Collection;

/** Order statistics. */
public final class Statistics {

  private Statistics() {}

  /**
   * Returns the smallest value that at least the given share of all values does not exceed (nearest
   * rank).
   *
   * @param sorted ascending, not empty
   * @param share above 0, at most 1: 0.99 for the 99th percentile
   */
  public static long percentile(long[] sorted, double share) {
    if (sorted.length == 0 || share <= 0 || share > 1) {
      throw new IllegalArgumentException(
          "No percentile %s of %d values".formatted(share, sorted.length));
    }
    int rank = (int) Math.ceil(share * sorted.length);
    return sorted[Math.max(rank, 1) - 1];
  }

  /** Returns the middle value, or the mean of the two middle ones. */
  public static double median(Collection<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("No median of no values");
    }
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** Returns the median, the minimum and the maximum of some values. */
  public static Spread spread(Collection<Double> values) {
    double least = values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    double greatest = values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    return new Spread(median(values), least, greatest, values.size());
  }
}
