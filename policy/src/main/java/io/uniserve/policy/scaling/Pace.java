package io.uniserve.policy.scaling;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.policy.LoadSample;
import io.uniserve.api.policy.ScalingView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/**
 * How fast a policy follows the load.
 *
 * @param growAfter for how long without a break there must have been too much load; the
 *     stabilisation window of growth
 * @param shrinkAfter for how long without a break there must have been too little; the
 *     stabilisation window of shrinking
 * @param coolDown after a change of size, the time during which there is no other
 */
public record Pace(Duration growAfter, Duration shrinkAfter, Duration coolDown) {
  private static final Duration LONGEST = Duration.ofDays(1);

  /** Grows after half a minute, shrinks after five, and waits a minute after either. */
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
   * The samples of the time before now. If something has {@linkplain #held held} for so long, none
   * of them is older than the present size.
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
   * Whether something has held without a break for so long: for every sample of that time, and
   * there are samples from its very beginning on, and the size was the present one.
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
