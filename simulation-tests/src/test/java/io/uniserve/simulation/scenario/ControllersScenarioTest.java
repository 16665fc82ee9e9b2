package io.uniserve.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.simulation.scenario.controllers.ControllersScenario;
import io.uniserve.simulation.search.Simulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Execution(ExecutionMode.CONCURRENT)
class ControllersScenarioTest {
  @ParameterizedTest
  @MethodSource("io.uniserve.simulation.scenario.Seeds#many")
  void holds(long seed) {
    Simulation.Outcome outcome = Simulation.play(new ControllersScenario(), seed);
    assertThat(outcome.steps()).isGreaterThan(5_000);
  }

  @Test
  void replaysItsTrace() {
    for (long seed = 0; seed < 3; seed++) {
      assertThat(Simulation.play(new ControllersScenario(), seed))
          .isEqualTo(Simulation.play(new ControllersScenario(), seed));
    }
  }
}
