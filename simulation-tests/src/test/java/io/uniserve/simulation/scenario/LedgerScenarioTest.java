package io.uniserve.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.kernel.Invariant;
import io.uniserve.kernel.InvariantViolation;
import io.uniserve.simulation.scenario.ledger.LedgerSafety;
import io.uniserve.simulation.scenario.ledger.LedgerScenario;
import io.uniserve.simulation.search.FailedSeed;
import io.uniserve.simulation.search.Simulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Execution(ExecutionMode.CONCURRENT)
class LedgerScenarioTest {
  @ParameterizedTest
  @MethodSource("io.uniserve.simulation.scenario.Seeds#few")
  void holds(long seed) {
    Simulation.Outcome outcome = Simulation.play(new LedgerScenario(LedgerSafety.FORCED), seed);
    assertThat(outcome.steps()).isGreaterThan(1_000);
  }

  @Test
  void replaysItsTrace() {
    LedgerScenario scenario = new LedgerScenario(LedgerSafety.FORCED);
    for (long seed = 0; seed < 3; seed++) {
      assertThat(Simulation.play(scenario, seed)).isEqualTo(Simulation.play(scenario, seed));
    }
  }

  @Test
  void someSeedFindsAnAcknowledgementBeforeTheDiskHasIt() {
    assertThatThrownBy(
            () -> {
              for (long seed = 0; seed < 100; seed++) {
                Simulation.play(new LedgerScenario(LedgerSafety.UNFORCED), seed);
              }
            })
        .isInstanceOf(FailedSeed.class)
        .hasMessageContaining("Replay: ./uniserve simulate --seed ")
        .hasMessageContaining("--scenario ledger-unforced")
        .cause()
        .isInstanceOfSatisfying(
            InvariantViolation.class,
            violation ->
                assertThat(violation.invariant())
                    .isIn(Invariant.ACKNOWLEDGED_SURVIVES, Invariant.SAME_ORDER_ON_COPIES));
  }
}
