package io.uniserve.bench.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The warm-up of a contender. It runs until the contender is steady: over the last {@link
 * #STEADY_WINDOWS} windows neither the median latency nor the CPU time of a call has changed much.
 * CPU time counts because compilation continues in the background after latencies have settled.
 */
final class WarmUp {

  static final int STEADY_WINDOWS = 3;
  static final double STEADY_LATENCY = 1.05;
  static final double STEADY_CPU = 1.1;

  private static final Duration WINDOW_MAX = Duration.ofSeconds(1);

  /**
   * The measurements of one window of warm-up.
   *
   * @param medianNanos the median of the latencies
   * @param cpuNanos the CPU time of the server for one call
   */
  record Sample(double medianNanos, double cpuNanos) {}

  private WarmUp() {}

  /** Runs until the contender is steady or the time is over. */
  static void run(Contender contender, Duration timeMax) {
    Duration third = timeMax.dividedBy(STEADY_WINDOWS);
    Duration window = third.compareTo(WINDOW_MAX) < 0 ? third : WINDOW_MAX;
    List<Sample> samples = new ArrayList<>();
    for (long i = timeMax.dividedBy(window); i > 0 && !steady(samples); i--) {
      samples.add(sample(contender, window));
    }
  }

  private static Sample sample(Contender contender, Duration window) {
    CpuMeter meter = CpuMeter.start(contender.processIds());
    Latencies latencies = contender.run().apply(window);
    CpuUse use = meter.stop();
    double median = Statistics.percentile(Latencies.sorted(List.of(latencies)), 0.5);
    return new Sample(median, (double) use.serverCpuNanos() / latencies.count());
  }

  static boolean steady(List<Sample> samples) {
    if (samples.size() < STEADY_WINDOWS) {
      return false;
    }
    List<Sample> last = samples.subList(samples.size() - STEADY_WINDOWS, samples.size());
    return within(last, Sample::medianNanos, STEADY_LATENCY)
        && within(last, Sample::cpuNanos, STEADY_CPU);
  }

  private static boolean within(
      List<Sample> samples, ToDoubleFunction<Sample> value, double ratioMax) {
    double least = samples.stream().mapToDouble(value).min().orElseThrow();
    double greatest = samples.stream().mapToDouble(value).max().orElseThrow();
    return greatest <= ratioMax * least;
  }
}
