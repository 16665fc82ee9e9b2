package io.uniserve.policy.scaling;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.policy.LoadSample;
import io.uniserve.api.policy.ScalingView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/**
 * The pace at which a policy follows the load.
 *
 * @param growAfter the time for which load must have been too high without a break; the
 *     stabilisation window of growth
 * @param shrinkAfter the time for which load must have been too low without a break; the
 *     stabilisation window of shrinking
 * @param coolDown the time after a change of size during which there is no other
 */
public record Pace(Duration growAfter, Duration shrinkAfter, Duration coolDown) {
  private static final Duration LONGEST = Duration.ofDays(1);

  /**
   * The default: grows after half a minute, shrinks after five minutes, and waits a minute after
   * either.
   */
  public static final Pace DEFAULT =
      new Pace(Duration.ofSeconds(30), Duration.ofMinutes(5), Duration.ofMinutes(1));

  /** Checks the durations. */
  public Pace {
    require("grow-after", growAfter);
    require("shrink-after", shrinkAfter);
    require("cool-down", coolDown);
  }

  private static void require(String name, Duration duration) {
    if (duration.isNegative() || duration.compareTo(LONGEST) > 0) {
      throw UniserveException.invalid(name + " must be at most a day, not " + duration);
    }
  }

  boolean coolsDown(ScalingView view) {
    return view.lastChange()
        .filter(change -> view.now().isBefore(change.plus(coolDown)))
        .isPresent();
  }

  /**
   * Returns the samples of a time before now. If a condition has {@linkplain #held held} for this
   * time, none of them is older than the present size.
   */
  static List<LoadSample> latest(ScalingView view, Duration time) {
    Instant from = view.now().minus(time);
    List<LoadSample> window = view.window();
    int first = window.size();
    while (first > 0 && !window.get(first - 1).at().isBefore(from)) {
      first--;
    }
    return window.subList(first, window.size());
  }

  /**
   * Returns whether a condition has held for a time without a break: every sample of the time meets
   * it, the samples cover the whole time, and the size has not changed in it.
   */
  static boolean held(ScalingView view, Duration time, Predicate<LoadSample> condition) {
    List<LoadSample> latest = latest(view, time);
    if (latest.isEmpty() || !latest.stream().allMatch(condition)) {
      return false;
    }
    Instant from = view.now().minus(time);
    boolean sizeIsOldEnough = view.lastChange().filter(from::isBefore).isEmpty();
    return sizeIsOldEnough && !view.window().getFirst().at().isAfter(from);
  }
}
