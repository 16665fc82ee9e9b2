package io.uniserve.simulation.scenario;

import io.uniserve.kernel.MessageCodec;
import io.uniserve.simulation.ClusterSettings;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.run.Run;
import io.uniserve.simulation.run.Scenario;
import java.util.List;

/** A scenario whose runs have a limited number of steps. */
record ShortScenario(Scenario scenario, long stepsMax) implements Scenario {
  @Override
  public String name() {
    return scenario.name();
  }

  @Override
  public MessageCodec codec() {
    return scenario.codec();
  }

  @Override
  public ClusterSettings settings() {
    ClusterSettings usual = scenario.settings();
    return new ClusterSettings(usual.network(), usual.diskBytes(), stepsMax);
  }

  @Override
  public Run plan(Seed seed) {
    return scenario.plan(seed);
  }

  @Override
  public List<String> processes(Run run) {
    return scenario.processes(run);
  }

  @Override
  public void play(SimulatedCluster cluster, Run run) {
    scenario.play(cluster, run);
  }
}
