package io.uniserve.bench.ranges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.uniserve.bench.ranges.Trials.Reduction;
import io.uniserve.bench.ranges.Trials.Trial;
import org.junit.jupiter.api.Test;

class TrialsTest {
  @Test
  void pairsTrialsOfTheSameFill() {
    Trials trials = new Trials();
    for (double p99 : new double[] {10, 20, 30}) {
      trials.add("nlb", new Trial(1, p99, 1.5));
    }
    for (double p99 : new double[] {9, 16, 21}) {
      trials.add("podp", new Trial(1, p99, 2));
    }
    Reduction reduction = trials.reduction("podp", "nlb");
    assertThat(reduction.mean()).isCloseTo(0.2, within(1e-9));
    // Shares 0.1, 0.2, 0.3: deviation 0.1, error 0.1 / sqrt(3), t of two degrees of freedom 4.30.
    assertThat(reduction.interval()).isCloseTo(4.30 * 0.1 / Math.sqrt(3), within(1e-9));
  }

  @Test
  void oneTrialHasNoInterval() {
    Trials trials = new Trials();
    trials.add("nlb", new Trial(1, 10, 1));
    trials.add("podp", new Trial(1, 5, 1));
    assertThat(trials.reduction("podp", "nlb").interval()).isNaN();
  }
}
