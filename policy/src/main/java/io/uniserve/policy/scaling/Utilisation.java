package io.uniserve.policy.scaling;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.policy.LoadSample;
import io.uniserve.api.policy.ScalingPolicy;
import io.uniserve.api.policy.ScalingView;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * A policy that keeps the mean utilisation of the servers between two thresholds: the default of
 * the DPA paper (§4.5), "adds servers if CPU utilization exceeds an upper threshold and removes
 * them if it is below a lower threshold".
 *
 * <p><b>Algorithm.</b> Work is measured in busy servers: the sum of all utilisations. If every
 * sample of the stabilisation window is above the upper threshold, or every one below the lower
 * one, the size becomes the least at which the servers are no busier than the middle of the
 * thresholds. To grow, the policy counts the least work of the window, and to shrink the most, so
 * that a spike changes nothing.
 *
 * <p><b>It does not oscillate.</b> With the same work as before, a size that was chosen is below
 * the upper threshold, so it does not grow; and it is the least size that is, so it does not shrink
 * either. Rounding to whole servers may leave it below the lower threshold: it stays.
 *
 * <p>Servers at full load hide how much more work is waiting. So one step grows at most to the work
 * divided by the middle, which is twice the size with 0.3 to 0.7. The next step follows after the
 * cool-down.
 *
 * <p><b>Example.</b> 0.3 to 0.7; two servers at 0.9. Work is 1.8, 1.8 / 0.5 = 3.6: four servers,
 * then 0.45 each. At night 0.4 in all: 0.1 each, below 0.3; 0.4 / 0.5 = 0.8: one server, 0.4.
 */
public final class Utilisation implements ScalingPolicy {
  /** The tolerance within which a quotient counts as a whole number. */
  private static final double ROUNDING = 1e-9;

  private final double lower;
  private final double upper;
  private final Pace pace;

  /**
   * Makes the policy.
   *
   * @param lower the utilisation below which servers leave, 0 to 1
   * @param upper the utilisation above which servers are added, lower to 1
   */
  public Utilisation(double lower, double upper, Pace pace) {
    if (!(lower >= 0 && lower < upper && upper <= 1)) {
      throw UniserveException.invalid(
          "utilisation thresholds must be 0 <= lower < upper <= 1, not " + lower + "-" + upper);
    }
    this.lower = lower;
    this.upper = upper;
    this.pace = pace;
  }

  @Override
  public String name() {
    return "utilisation";
  }

  @Override
  public Decision decide(ScalingView view) {
    if (view.window().isEmpty()) {
      return stay(view, "no load is known yet");
    }
    if (pace.coolsDown(view)) {
      return stay(view, "the last change was less than " + Spans.text(pace.coolDown()) + " ago");
    }
    if (Pace.held(view, pace.growAfter(), sample -> sample.utilization() > upper)) {
      double least = work(view, pace.growAfter()).min().orElseThrow();
      int size = Math.max(view.servers(), sizeFor(least));
      return new Decision(
          size, text("above %.2f for %s", upper, Spans.text(pace.growAfter()), least));
    }
    if (Pace.held(view, pace.shrinkAfter(), sample -> sample.utilization() < lower)) {
      double most = work(view, pace.shrinkAfter()).max().orElseThrow();
      int size = Math.min(view.servers(), sizeFor(most));
      return new Decision(
          size, text("below %.2f for %s", lower, Spans.text(pace.shrinkAfter()), most));
    }
    return stay(
        view,
        String.format(
            Locale.ROOT,
            "utilisation is %.2f, neither above %.2f for %s nor below %.2f for %s",
            view.window().getLast().utilization(),
            upper,
            Spans.text(pace.growAfter()),
            lower,
            Spans.text(pace.shrinkAfter())));
  }

  private int sizeFor(double busyServers) {
    double middle = (lower + upper) / 2;
    return Math.max(1, (int) Math.ceil(busyServers / middle - ROUNDING));
  }

  private static DoubleStream work(ScalingView view, Duration time) {
    return Pace.latest(view, time).stream().mapToDouble(LoadSample::busyServers);
  }

  private String text(String pattern, double threshold, String time, double work) {
    return String.format(Locale.ROOT, "utilisation was " + pattern, threshold, time)
        + String.format(
            Locale.ROOT, "; work for %.2f busy servers, at %.2f each", work, (lower + upper) / 2);
  }

  private static Decision stay(ScalingView view, String reason) {
    return new Decision(view.servers(), reason);
  }
}
