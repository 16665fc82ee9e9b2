package io.uniserve.policy.scaling;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.policy.LoadSample;
import io.uniserve.api.policy.ScalingPolicy;
import io.uniserve.api.policy.ScalingView;
import java.time.Duration;
import java.util.Locale;

/**
 * A policy that keeps the latency of slow operators below a target (DPA §4.5 leaves such policies
 * to the developer).
 *
 * <p><b>Algorithm.</b> If every sample of the stabilisation window is above the target, the size
 * grows by the factor by which the latency is too long, but at most doubles: latency shows that
 * there are too few servers, but hardly how many are missing. The size shrinks by one server if
 * every sample of its window is below half the target and the remaining servers would be no busier
 * than {@value #BUSY_MAX}. Up to this utilisation latency hardly rises; beyond it, steeply.
 *
 * <p><b>It does not oscillate.</b> The policy does not return to a size at which the window shows a
 * latency above the target, unless there is clearly less work now.
 *
 * <p><b>Example.</b> Target 200 ms; two servers, 300 ms for half a minute: 2 · 1.5 = 3 servers. 60
 * ms for five minutes with 1.2 busy servers: two would be 0.6 busy, so 2; but if two were seen at
 * 300 ms with the same work, 3 stay.
 */
public final class TargetLatency implements ScalingPolicy {
  private static final double BUSY_MAX = 0.7;
  private static final double STEP_MAX = 2;
  private static final double SHRINK_BELOW = 0.5;

  /**
   * The factor by which work must have fallen before a size that did not suffice is tried again.
   */
  private static final double CLEARLY_LESS = 0.8;

  private final double targetMillis;
  private final Pace pace;

  public TargetLatency(Duration target, Pace pace) {
    if (target.isZero() || target.isNegative()) {
      throw UniserveException.invalid("a target latency must be longer than 0, not " + target);
    }
    targetMillis = target.toMillis();
    this.pace = pace;
  }

  @Override
  public String name() {
    return "latency";
  }

  @Override
  public Decision decide(ScalingView view) {
    if (view.window().isEmpty()) {
      return new Decision(view.servers(), "no load is known yet");
    }
    if (pace.coolsDown(view)) {
      return new Decision(
          view.servers(), "the last change was less than " + Spans.text(pace.coolDown()) + " ago");
    }
    if (Pace.held(view, pace.growAfter(), this::isSlow)) {
      return grown(view);
    }
    boolean quick =
        view.servers() > 1
            && Pace.held(view, pace.shrinkAfter(), sample -> isBelow(sample, SHRINK_BELOW));
    return quick ? shrunk(view) : new Decision(view.servers(), present(view));
  }

  private Decision grown(ScalingView view) {
    double least =
        Pace.latest(view, pace.growAfter()).stream()
            .mapToDouble(sample -> sample.latencyMillis().orElse(0))
            .min()
            .orElseThrow();
    double factor = Math.min(STEP_MAX, least / targetMillis);
    return new Decision(
        Math.max(view.servers() + 1, (int) Math.ceil(view.servers() * factor)),
        String.format(
            Locale.ROOT,
            "the slowest hundredth took %.0f ms or more for %s, the target is %.0f ms",
            least,
            Spans.text(pace.growAfter()),
            targetMillis));
  }

  private Decision shrunk(ScalingView view) {
    int smaller = view.servers() - 1;
    double work =
        Pace.latest(view, pace.shrinkAfter()).stream()
            .mapToDouble(LoadSample::busyServers)
            .max()
            .orElseThrow();
    if (work / smaller > BUSY_MAX) {
      return new Decision(
          view.servers(),
          String.format(Locale.ROOT, "%d servers would be %.2f busy", smaller, work / smaller));
    }
    boolean sufficed =
        view.window().stream()
            .filter(sample -> sample.servers().size() <= smaller && isSlow(sample))
            .allMatch(sample -> work < sample.busyServers() * CLEARLY_LESS);
    return sufficed
        ? new Decision(
            smaller,
            String.format(
                Locale.ROOT,
                "the slowest hundredth took less than half of %.0f ms for %s",
                targetMillis,
                Spans.text(pace.shrinkAfter())))
        : new Decision(view.servers(), smaller + " servers did not suffice for as much work");
  }

  private boolean isSlow(LoadSample sample) {
    return sample.latencyMillis().orElse(0) > targetMillis;
  }

  private boolean isBelow(LoadSample sample, double part) {
    return sample.latencyMillis().orElse(0) < targetMillis * part;
  }

  private String present(ScalingView view) {
    double latency = view.window().getLast().latencyMillis().orElse(0);
    return String.format(
        Locale.ROOT,
        "the slowest hundredth took %.0f ms, the target is %.0f ms",
        latency,
        targetMillis);
  }
}
