package io.uniserve.simulation;

import io.uniserve.simulation.schedule.Scheduler;

/** A scenario does not hold with some seed. Its message says how to see it again. */
public final class FailedSeed extends AssertionError {
  private static final long serialVersionUID = 1L;

  private final long seed;

  FailedSeed(String scenario, long seed, Scheduler scheduler, Throwable cause) {
    super(
        "%s fails with seed %d after %d steps and %.3f simulated seconds: %s%nReplay: %s"
            .formatted(
                scenario,
                seed,
                scheduler.steps(),
                scheduler.nanos() / 1e9,
                cause,
                Simulate.command(scenario, seed)),
        cause);
    this.seed = seed;
  }

  /** The seed. */
  public long seed() {
    return seed;
  }
}
