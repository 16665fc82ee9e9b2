package io.uniserve.policy.scaling;

import io.uniserve.api.Usage;
import io.uniserve.api.policy.LoadSample;
import io.uniserve.api.policy.LoadSample.ServerSample;
import io.uniserve.api.policy.ScalingPolicy;
import io.uniserve.api.policy.ScalingView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.DoubleUnaryOperator;

/**
 * A model cluster that follows a policy at once. Its servers share the work evenly. The latency of
 * its operators follows from their utilisation.
 */
final class Plant {
  static final Duration STEP = Duration.ofSeconds(1);
  private static final int WINDOW_MAX = 4_000;

  final List<Integer> sizes = new ArrayList<>();
  private final int min;
  private final int max;
  private final List<LoadSample> window = new ArrayList<>();
  private Instant now = Instant.parse("2026-03-02T12:00:00Z");
  private Optional<Instant> lastChange = Optional.empty();
  private int size;

  Plant(int size, int min, int max) {
    this.size = size;
    this.min = min;
    this.max = max;
  }

  int size() {
    return size;
  }

  /** Returns the number of changes of the size. */
  int changes() {
    return (int)
        java.util.stream.IntStream.range(1, sizes.size())
            .filter(i -> !sizes.get(i).equals(sizes.get(i - 1)))
            .count();
  }

  /** Lets time pass with work for a number of busy servers. */
  Plant run(ScalingPolicy policy, int steps, double work) {
    return run(policy, steps, second -> work);
  }

  Plant run(ScalingPolicy policy, int steps, DoubleUnaryOperator workAtSecond) {
    for (int i = 0; i < steps; i++) {
      now = now.plus(STEP);
      window.add(sample(now, size, workAtSecond.applyAsDouble(i)));
      if (window.size() > WINDOW_MAX) {
        window.removeFirst();
      }
      ScalingView view = new ScalingView(now, size, min, max, List.copyOf(window), lastChange);
      int wanted = view.bounded(policy.decide(view).servers());
      if (wanted != size) {
        size = wanted;
        lastChange = Optional.of(now);
      }
      sizes.add(size);
    }
    return this;
  }

  static LoadSample sample(Instant at, int servers, double work) {
    double utilization = Math.min(1, work / servers);
    TreeMap<String, ServerSample> samples = new TreeMap<>();
    for (int i = 1; i <= servers; i++) {
      samples.put("s" + i, new ServerSample(utilization, utilization * 1e6, Usage.NONE));
    }
    double latency = 10 / Math.max(0.01, 1 - work / servers);
    return new LoadSample(at, samples, OptionalDouble.of(work < servers ? latency : 1_000));
  }
}
