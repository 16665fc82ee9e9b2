package io.uniserve.simulation;

import java.util.function.Consumer;

/** Plays scenarios. */
public final class Simulation {
  private Simulation() {}

  /**
   * What a run that went well did.
   *
   * @param steps how many steps it took
   * @param seconds of simulated time
   * @param trace equal for two runs only if both did the same
   */
  public record Outcome(long steps, double seconds, long trace) {}

  /** Plays a scenario once. */
  public static Outcome play(Scenario scenario, long seed) {
    return play(scenario, seed, line -> {});
  }

  /**
   * Plays a scenario once.
   *
   * @param events receives what happens, as it happens
   * @throws FailedSeed if anything does not hold
   */
  public static Outcome play(Scenario scenario, long seed, Consumer<String> events) {
    Seed given = new Seed(seed);
    try (SimulatedCluster cluster =
        new SimulatedCluster(given, scenario.codec(), scenario.settings())) {
      cluster.scheduler().trace().listen(events);
      try {
        scenario.play(cluster);
      } catch (RuntimeException | Error e) {
        throw new FailedSeed(scenario.name(), cluster, e);
      }
      return new Outcome(
          cluster.scheduler().steps(),
          cluster.scheduler().nanos() / 1e9,
          cluster.scheduler().trace().hash());
    }
  }
}
