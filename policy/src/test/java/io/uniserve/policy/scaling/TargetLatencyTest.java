package io.uniserve.policy.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests in a plant whose latency is 10 ms / (1 - utilisation). */
class TargetLatencyTest {
  private static final Pace PACE =
      new Pace(Duration.ofSeconds(30), Duration.ofSeconds(120), Duration.ofSeconds(60));
  private static final TargetLatency POLICY = new TargetLatency(Duration.ofMillis(50), PACE);

  /** Checks that quick answers with more servers do not bring back a size that was too slow. */
  @Test
  void aSizeIsJudgedByAWindowOfItsOwn() {
    Plant plant = new Plant(8, 1, 10).run(POLICY, 121, 1.0);
    assertThat(plant.size()).isEqualTo(7);
    assertThat(plant.run(POLICY, 119, 1.0).size()).isEqualTo(7);
    assertThat(plant.run(POLICY, 1, 1.0).size()).isEqualTo(6);
  }

  @Test
  void growsUntilTheTargetIsKept() {
    Plant plant = new Plant(1, 1, 10).run(POLICY, 600, 3.5);
    assertThat(10 / (1 - 3.5 / plant.size())).isLessThanOrEqualTo(50);
    assertThat(plant.sizes).isSorted();
  }

  @Test
  void shrinksOneByOneWhileThereIsRoom() {
    Plant plant = new Plant(8, 1, 10).run(POLICY, 3_000, 1.0);
    assertThat(plant.size()).isEqualTo(2);
    for (int i = 1; i < plant.sizes.size(); i++) {
      assertThat(plant.sizes.get(i - 1) - plant.sizes.get(i)).isBetween(0, 1);
    }
  }

  @Test
  void constantWorkNeverChangesDirection() {
    for (double work = 0.1; work < 8; work += 0.37) {
      Plant plant = new Plant(4, 1, 12).run(POLICY, 3_500, work);
      boolean up = plant.size() >= 4;
      for (int i = 1; i < plant.sizes.size(); i++) {
        int step = plant.sizes.get(i) - plant.sizes.get(i - 1);
        assertThat(up ? step >= 0 : step <= 0).as("%s: %s", work, plant.sizes).isTrue();
      }
    }
  }

  /** Checks a service that is slow with few servers even without much work. */
  @Test
  void aSizeThatDidNotSufficeIsNotReturnedTo() {
    TargetLatency strict = new TargetLatency(Duration.ofMillis(14), PACE);
    Plant plant = new Plant(2, 1, 10).run(strict, 200, 0.8);
    int grown = plant.size();
    assertThat(grown).isGreaterThan(2);
    int changes = plant.changes();
    assertThat(plant.run(strict, 3_000, 0.8).changes()).isEqualTo(changes);
  }

  @Test
  void lessWorkFitsASizeThatDidNotSuffice() {
    Plant plant = new Plant(2, 1, 10).run(POLICY, 300, 1.9);
    assertThat(plant.size()).isGreaterThan(2);
    assertThat(plant.run(POLICY, 1_500, 0.5).size()).isEqualTo(1);
  }

  @Test
  void aTargetOfNothingIsRefused() {
    assertThatThrownBy(() -> new TargetLatency(Duration.ZERO, PACE)).hasMessageContaining("target");
  }
}
