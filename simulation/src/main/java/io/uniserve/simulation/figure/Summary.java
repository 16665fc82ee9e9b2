package io.uniserve.simulation.figure;

import io.uniserve.simulation.plot.Series;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/** A summary of trials. */
record Summary(List<Trial> trials) {
  private static final double STUDENT_95 = 2.1; // for about 20 trials
  static final String HEADER =
      "x,policy,trials,p99_ms_p5,p99_ms_p25,p99_ms_median,p99_ms_p75,p99_ms_p95,p50_ms_median,"
          + "queue_p99_median,mean_clustering,moves_median";

  /** Returns the places along the figure. */
  double[] xs() {
    return new TreeSet<>(trials.stream().map(Trial::x).toList())
        .stream().mapToDouble(Double::doubleValue).toArray();
  }

  List<String> policies() {
    return trials.stream().map(Trial::policy).distinct().toList();
  }

  private double[] values(double x, String policy, ToDoubleFunction<Trial> of) {
    return trials.stream()
        .filter(trial -> trial.x() == x && trial.policy().equals(policy))
        .mapToDouble(of)
        .toArray();
  }

  double median(double x, String policy, ToDoubleFunction<Trial> of) {
    return percentile(values(x, policy, of), 50);
  }

  /** Returns a percentile, linear between the values. */
  static double percentile(double[] values, double percent) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double place = (sorted.length - 1) * percent / 100;
    int below = (int) place;
    double above = sorted[Math.min(sorted.length - 1, below + 1)];
    return sorted[below] + (place - below) * (above - sorted[below]);
  }

  /**
   * Returns the mean reduction of a value against a baseline, trial by trial, with its interval.
   */
  Reduction reduction(double x, String policy, String baseline, ToDoubleFunction<Trial> of) {
    double[] own = values(x, policy, of);
    double[] other = values(x, baseline, of);
    double[] reductions = new double[own.length];
    Arrays.setAll(reductions, trial -> 1 - own[trial] / other[trial]);
    double mean = Arrays.stream(reductions).average().orElse(0);
    double squares = Arrays.stream(reductions).map(one -> (one - mean) * (one - mean)).sum();
    double error =
        reductions.length < 2
            ? 0
            : Math.sqrt(squares / (reductions.length - 1) / reductions.length);
    return new Reduction(mean, STUDENT_95 * error);
  }

  /**
   * A mean reduction.
   *
   * @param mean the mean, as a share
   * @param interval half of the 95 % confidence interval
   */
  record Reduction(double mean, double interval) {
    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%.0f ± %.0f %%", mean * 100, interval * 100);
    }
  }

  /** Returns one line with whiskers from the 5th to the 95th percentile for each policy. */
  List<Series> lines(ToDoubleFunction<Trial> of) {
    return policies().stream()
        .map(
            policy ->
                new Series(
                    policy,
                    Series.Form.LINE,
                    Arrays.stream(xs()).mapToObj(x -> point(x, values(x, policy, of))).toList()))
        .toList();
  }

  private static Series.Point point(double x, double[] values) {
    return new Series.Point(
        x, percentile(values, 50), percentile(values, 5), percentile(values, 95));
  }

  /** Returns rows under {@link #HEADER}. */
  String csv() {
    StringBuilder csv = new StringBuilder(HEADER).append('\n');
    for (double x : xs()) {
      for (String policy : policies()) {
        double[] p99 = values(x, policy, Trial::p99);
        csv.append(
            String.format(
                Locale.ROOT,
                "%s,%s,%d,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.0f,%.3f,%.0f%n",
                x,
                policy,
                p99.length,
                percentile(p99, 5),
                percentile(p99, 25),
                percentile(p99, 50),
                percentile(p99, 75),
                percentile(p99, 95),
                median(x, policy, Trial::p50),
                median(x, policy, Trial::queue99),
                Arrays.stream(values(x, policy, Trial::clustering)).average().orElse(0),
                median(x, policy, Trial::moves)));
      }
    }
    return csv.toString();
  }
}
