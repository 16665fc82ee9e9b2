package io.uniserve.bench.olap;

import io.uniserve.bench.measure.MeasurePlan;
import io.uniserve.bench.option.MeasureOptions;
import java.time.Duration;
import java.util.List;

/**
 * The extent of a run.
 *
 * @param scale the scale factor of the data of queries and updates
 * @param slicesScale that of hotspots and failures, which load twice more
 * @param plan the windows of queries
 * @param megabytes the sizes of updates
 * @param repetitions the number of updates of each size
 * @param skews the shares of the hot slice
 * @param hotspots the windows of hotspots
 * @param adapting the load before these windows, for placement to follow
 * @param failure the load around a failure
 */
record Extent(
    double scale,
    double slicesScale,
    MeasurePlan plan,
    List<Integer> megabytes,
    int repetitions,
    List<Double> skews,
    MeasurePlan hotspots,
    Duration adapting,
    Duration failure) {
  private static final double HOTSPOT = 7.0 / 8;
  private static final double QUICK_SCALE = 0.01;

  /** Returns the extent of a smoke run. */
  static Extent quick(MeasureOptions options) {
    MeasurePlan plan = options.plan(true);
    return new Extent(
        QUICK_SCALE,
        QUICK_SCALE,
        plan,
        List.of(1),
        1,
        List.of(HOTSPOT),
        plan,
        plan.window(),
        Duration.ofSeconds(15));
  }

  /** Returns the extent of a run with less data, fewer windows and fewer cases. */
  static Extent brief(MeasureOptions options) {
    double foreign = options.plan(false).foreignCoresMax();
    return new Extent(
        0.2,
        0.05,
        new MeasurePlan(Duration.ofSeconds(2), 3, 5, Duration.ofSeconds(5), foreign),
        List.of(1, 10),
        1,
        List.of(0.0, HOTSPOT),
        new MeasurePlan(Duration.ofSeconds(4), 3, 3, Duration.ZERO, foreign),
        Duration.ofSeconds(40),
        Duration.ofSeconds(45));
  }

  /** Returns the extent of a whole run. */
  static Extent whole(MeasureOptions options) {
    MeasurePlan plan = options.plan(false);
    return new Extent(
        1,
        0.2,
        plan,
        List.of(1, 10, 100),
        3,
        List.of(0.0, 0.25, 0.5, 0.75, HOTSPOT, 1.0),
        new MeasurePlan(
            Duration.ofSeconds(5),
            plan.rounds(),
            plan.rounds(),
            Duration.ZERO,
            plan.foreignCoresMax()),
        Duration.ofSeconds(60),
        Duration.ofSeconds(180));
  }
}
