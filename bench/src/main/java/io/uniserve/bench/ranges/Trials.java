package io.uniserve.bench.ranges;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The measurements of each policy in each trial. All policies have the same trials, in the same
 * order.
 */
final class Trials {
  /** Student's t for 95 %, by degrees of freedom from 1. */
  private static final double[] STUDENT_95 = {
    12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13, 2.12,
    2.11, 2.10, 2.09, 2.09
  };

  private final Map<String, List<Trial>> byPolicy = new LinkedHashMap<>();

  /**
   * One policy's placement of one random fill, under the same arrivals as the other policies.
   *
   * @param p50 the median latency in milliseconds
   * @param p99 the 99th percentile of latency in milliseconds
   * @param spread the mean number of servers over which a query is spread
   */
  public record Trial(double p50, double p99, double spread) {}

  /**
   * A mean share of reduction.
   *
   * @param interval half of the 95 % confidence interval
   */
  record Reduction(double mean, double interval) {}

  void add(String policy, Trial trial) {
    byPolicy.computeIfAbsent(policy, absent -> new ArrayList<>()).add(trial);
  }

  /** Returns the trials of each policy, one for each fill. */
  Map<String, List<Trial>> byPolicy() {
    return byPolicy;
  }

  List<Trial> of(String policy) {
    return byPolicy.getOrDefault(policy, List.of());
  }

  /** Returns the share by which a policy's p99 is below another's, trial by trial. */
  Reduction reduction(String policy, String baseline) {
    List<Trial> own = of(policy);
    List<Trial> other = of(baseline);
    int count = own.size();
    double[] shares = new double[count];
    for (int i = 0; i < count; i++) {
      shares[i] = 1 - own.get(i).p99() / other.get(i).p99();
    }
    double mean = 0;
    for (double share : shares) {
      mean += share / count;
    }
    double squares = 0;
    for (double share : shares) {
      squares += (share - mean) * (share - mean);
    }
    if (count < 2) {
      return new Reduction(mean, Double.NaN);
    }
    double student = STUDENT_95[Math.min(count - 2, STUDENT_95.length - 1)];
    return new Reduction(mean, student * Math.sqrt(squares / (count - 1) / count));
  }
}
