package io.uniserve.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.simulation.scenario.cluster.ClusterScenario;
import io.uniserve.simulation.search.Simulation;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Execution(ExecutionMode.CONCURRENT)
class LossScenarioTest {
  @ParameterizedTest
  @MethodSource("io.uniserve.simulation.scenario.Seeds#some")
  void holds(long seed) {
    Simulation.Outcome outcome = Simulation.play(ClusterScenario.ofLosses(), seed);
    assertThat(outcome.steps()).isGreaterThan(2_000);
  }
}
