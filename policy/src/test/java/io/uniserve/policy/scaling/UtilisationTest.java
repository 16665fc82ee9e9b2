package io.uniserve.policy.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.policy.ScalingView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UtilisationTest {
  private static final Pace PACE =
      new Pace(Duration.ofSeconds(30), Duration.ofSeconds(120), Duration.ofSeconds(60));
  private static final Utilisation POLICY = new Utilisation(0.3, 0.7, PACE);

  @Test
  void growsToTheMiddleOfTheThresholds() {
    assertThat(new Plant(2, 1, 10).run(POLICY, 40, 1.8).size()).isEqualTo(4);
  }

  @Test
  void shrinksToTheMiddleOfTheThresholds() {
    assertThat(new Plant(8, 1, 10).run(POLICY, 200, 1.4).size()).isEqualTo(3);
  }

  @Test
  void followsLoadThatHidesHowMuchMoreIsWanted() {
    Plant plant = new Plant(1, 1, 20).run(POLICY, 400, 6);
    assertThat(plant.size()).isEqualTo(12);
    assertThat(plant.sizes).isSorted();
  }

  @Test
  void nothingHappensBeforeTheStabilisationWindowIsOver() {
    Plant plant = new Plant(2, 1, 10).run(POLICY, 30, 1.9);
    assertThat(plant.size()).isEqualTo(2);
    assertThat(plant.run(POLICY, 1, 1.9).size()).isEqualTo(4);
  }

  @Test
  void oneSampleWithinTheThresholdsBeginsTheWindowAnew() {
    Plant plant = new Plant(2, 1, 10).run(POLICY, 25, 1.9).run(POLICY, 1, 1.0);
    assertThat(plant.run(POLICY, 30, 1.9).size()).isEqualTo(2);
    assertThat(plant.run(POLICY, 1, 1.9).size()).isEqualTo(4);
  }

  @Test
  void aSpikeDoesNotGrowAndAPauseDoesNotShrink() {
    Plant plant = new Plant(4, 1, 10).run(POLICY, 600, s -> s % 20 == 0 ? 4 : 2);
    assertThat(plant.changes()).isZero();
    plant.run(POLICY, 600, s -> s % 100 < 90 ? 0.5 : 2);
    assertThat(plant.changes()).isZero();
  }

  @Test
  void coolsDownAfterAChange() {
    Plant plant = new Plant(1, 1, 20).run(POLICY, 31, 6);
    assertThat(plant.size()).isEqualTo(2);
    assertThat(plant.run(POLICY, 59, 6).size()).isEqualTo(2);
    assertThat(plant.run(POLICY, 2, 6).size()).isEqualTo(4);
  }

  /**
   * Checks for random constant work, thresholds and bounds that the size never changes its
   * direction.
   */
  @Test
  void constantWorkIsSettledAndNeverChangesDirection() {
    Random random = new Random(7);
    for (int round = 0; round < 60; round++) {
      double lower = random.nextDouble() * 0.6;
      double upper = lower + 0.02 + random.nextDouble() * (0.98 - lower);
      Utilisation policy = new Utilisation(lower, Math.min(1, upper), PACE);
      int min = 1 + random.nextInt(3);
      int max = min + random.nextInt(20);
      double work = random.nextDouble() * 15;
      Plant plant = new Plant(min + random.nextInt(max - min + 1), min, max);
      int before = plant.size();
      plant.run(policy, 1_500, work);
      int settled = plant.size();
      String what = lower + "-" + upper + ", work " + work + ", " + before + ": " + plant.sizes;
      assertThat(plant.sizes).as(what).allMatch(size -> size >= min && size <= max);
      boolean up = settled >= before;
      for (int i = 1; i < plant.sizes.size(); i++) {
        int step = plant.sizes.get(i) - plant.sizes.get(i - 1);
        assertThat(up ? step >= 0 : step <= 0).as(what).isTrue();
      }
      int changes = plant.changes();
      assertThat(plant.run(policy, 1_000, work).changes()).as(what).isEqualTo(changes);
      assertThat(work / settled <= upper || settled == max).as(what).isTrue();
    }
  }

  @Test
  void boundsHoldWhateverTheLoad() {
    Random random = new Random(3);
    Plant plant = new Plant(3, 2, 5).run(POLICY, 5_000, s -> random.nextDouble() * 12);
    plant.run(POLICY, 1_000, 50).run(POLICY, 1_000, 0);
    assertThat(plant.sizes).allMatch(size -> size >= 2 && size <= 5).contains(5).endsWith(2);
  }

  @Test
  void withoutSamplesNothingChanges() {
    ScalingView nothing = new ScalingView(Instant.EPOCH, 3, 1, 5, List.of(), Optional.empty());
    assertThat(POLICY.decide(nothing).servers()).isEqualTo(3);
  }

  @Test
  void thresholdsThatCannotBeAreRefused() {
    assertThatThrownBy(() -> new Utilisation(0.7, 0.3, PACE))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("0.7-0.3");
    assertThatThrownBy(() -> new Utilisation(0.3, 1.2, PACE)).hasMessageContaining("1.2");
  }
}
