package io.uniserve.bench.option;

import io.uniserve.bench.measure.MeasurePlan;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Options of every benchmark that measures in windows. */
public final class MeasureOptions {

  private static final Duration WARM_UP_MAX = Duration.ofSeconds(20);
  private static final double WINDOW_SECONDS = 2;
  private static final Duration QUICK_WINDOW = Duration.ofMillis(300);

  @Option(names = "--rounds", description = "Quiet windows wanted. Default: ${DEFAULT-VALUE}.")
  private int rounds = 5;

  @Option(names = "--seconds", description = "Length of a window. Default: ${DEFAULT-VALUE}.")
  private double seconds;

  @Option(
      names = "--foreign-cores",
      description = "Throw a window away if others took more cores. Default: ${DEFAULT-VALUE}.")
  private double foreignCoresMax = 0.25;

  @Option(
      names = "--warm-up",
      description =
          "A contender is measured after so many seconds of warm-up even if it is not steady."
              + " Default: ${DEFAULT-VALUE}.")
  private double warmUpSeconds;

  /** Creates options for calls that take milliseconds at most. */
  public MeasureOptions() {
    this(WINDOW_SECONDS, WARM_UP_MAX);
  }

  /**
   * @param windowSeconds the length of a window, unless the option says another
   * @param warmUpMax the longest warm-up of one contender
   */
  public MeasureOptions(double windowSeconds, Duration warmUpMax) {
    this.seconds = windowSeconds;
    this.warmUpSeconds = warmUpMax.toMillis() / 1e3;
  }

  /**
   * @param quick true for one short window, even if other processes are busy
   */
  public MeasurePlan plan(boolean quick) {
    if (quick) {
      return new MeasurePlan(QUICK_WINDOW, 1, 1, QUICK_WINDOW, Double.MAX_VALUE);
    }
    return new MeasurePlan(
        duration(seconds), rounds, rounds * 3, duration(warmUpSeconds), foreignCoresMax);
  }

  private static Duration duration(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1_000));
  }
}
