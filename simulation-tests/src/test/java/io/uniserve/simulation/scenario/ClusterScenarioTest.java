package io.uniserve.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.simulation.scenario.cluster.ClusterScenario;
import io.uniserve.simulation.search.Simulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Execution(ExecutionMode.CONCURRENT)
class ClusterScenarioTest {
  @ParameterizedTest
  @MethodSource("io.uniserve.simulation.scenario.Seeds#many")
  void holds(long seed) {
    Simulation.Outcome outcome = Simulation.play(new ClusterScenario(), seed);
    assertThat(outcome.steps()).isGreaterThan(5_000);
  }

  @ParameterizedTest
  @MethodSource("io.uniserve.simulation.scenario.Seeds#some")
  void holdsWithTransactions(long seed) {
    Simulation.Outcome outcome = Simulation.play(ClusterScenario.ofTransactions(), seed);
    assertThat(outcome.steps()).isGreaterThan(5_000);
  }

  @ParameterizedTest
  @MethodSource("io.uniserve.simulation.scenario.Seeds#some")
  void holdsWithOrderedUpdates(long seed) {
    Simulation.Outcome outcome = Simulation.play(ClusterScenario.ofOrdered(), seed);
    assertThat(outcome.steps()).isGreaterThan(5_000);
  }

  @ParameterizedTest
  @MethodSource("io.uniserve.simulation.scenario.Seeds#some")
  void holdsWithPlacement(long seed) {
    Simulation.Outcome outcome = Simulation.play(ClusterScenario.ofPlacement(), seed);
    assertThat(outcome.steps()).isGreaterThan(5_000);
  }

  @ParameterizedTest
  @MethodSource("io.uniserve.simulation.scenario.Seeds#some")
  void holdsWithSplits(long seed) {
    Simulation.Outcome outcome = Simulation.play(ClusterScenario.ofSplits(), seed);
    assertThat(outcome.steps()).isGreaterThan(5_000);
  }

  @ParameterizedTest
  @MethodSource("io.uniserve.simulation.scenario.Seeds#some")
  void holdsOnARing(long seed) {
    Simulation.Outcome outcome = Simulation.play(ClusterScenario.ofRing(), seed);
    assertThat(outcome.steps()).isGreaterThan(5_000);
  }

  @ParameterizedTest
  @MethodSource("io.uniserve.simulation.scenario.Seeds#some")
  void holdsWhileOneProcessFailsAtATime(long seed) {
    Simulation.Outcome outcome = Simulation.play(ClusterScenario.ofFailover(), seed);
    assertThat(outcome.steps()).isGreaterThan(5_000);
  }

  @Test
  void replaysItsTrace() {
    for (long seed = 0; seed < 3; seed++) {
      assertThat(Simulation.play(new ClusterScenario(), seed))
          .isEqualTo(Simulation.play(new ClusterScenario(), seed));
    }
  }
}
