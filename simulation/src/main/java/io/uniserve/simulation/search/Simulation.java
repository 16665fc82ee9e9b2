package io.uniserve.simulation.search;

import io.uniserve.simulation.Seed;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.run.Run;
import io.uniserve.simulation.run.Scenario;
import java.util.function.Consumer;

/** The playing of scenarios. */
public final class Simulation {
  private Simulation() {}

  /**
   * The figures of a run without failure.
   *
   * @param steps the number of steps that it took
   * @param seconds the seconds of simulated time
   * @param faults the number of faults
   * @param trace equal for two runs only if both did the same
   */
  public record Outcome(long steps, double seconds, int faults, long trace) {}

  /** Plays the run of a seed. */
  public static Outcome play(Scenario scenario, long seed) {
    return play(scenario, scenario.plan(new Seed(seed)), line -> {});
  }

  /**
   * Plays a run.
   *
   * @param events receives what happens, as it happens
   * @throws FailedSeed if anything does not hold
   */
  public static Outcome play(Scenario scenario, Run run, Consumer<String> events) {
    try (SimulatedCluster cluster =
        new SimulatedCluster(new Seed(run.seed()), scenario.codec(), scenario.settings())) {
      cluster.scheduler().trace().listen(events);
      try {
        scenario.play(cluster, run);
      } catch (RuntimeException | Error e) {
        throw new FailedSeed(scenario, run, cluster, e);
      }
      return new Outcome(
          cluster.scheduler().steps(),
          cluster.scheduler().nanos() / 1e9,
          run.faults().size(),
          cluster.scheduler().trace().hash());
    }
  }
}
