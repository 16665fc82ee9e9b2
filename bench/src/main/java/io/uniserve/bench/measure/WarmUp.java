package io.uniserve.bench.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Runs a contender until it is steady: until the median latencies of the last {@link
 * #STEADY_WINDOWS} windows lie within {@link #STEADY_RATIO} of one another.
 */
final class WarmUp {

  static final int STEADY_WINDOWS = 3;
  static final double STEADY_RATIO = 1.05;

  private static final Duration WINDOW_MAX = Duration.ofSeconds(1);

  private WarmUp() {}

  /** Runs until steady or until the time is over. */
  static void run(Contender contender, Duration timeMax) {
    Duration third = timeMax.dividedBy(STEADY_WINDOWS);
    Duration window = third.compareTo(WINDOW_MAX) < 0 ? third : WINDOW_MAX;
    List<Long> medians = new ArrayList<>();
    for (long i = timeMax.dividedBy(window); i > 0 && !steady(medians); i--) {
      Latencies latencies = contender.run().apply(window);
      medians.add(Statistics.percentile(Latencies.sorted(List.of(latencies)), 0.5));
    }
  }

  static boolean steady(List<Long> medians) {
    if (medians.size() < STEADY_WINDOWS) {
      return false;
    }
    List<Long> last = medians.subList(medians.size() - STEADY_WINDOWS, medians.size());
    return Collections.max(last) <= STEADY_RATIO * Collections.min(last);
  }
}
