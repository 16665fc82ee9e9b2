package io.uniserve.simulation;

/** A scenario does not hold with some seed. Its message says how to see it again. */
public final class FailedSeed extends AssertionError {
  private static final long serialVersionUID = 1L;

  private final long seed;

  FailedSeed(String scenario, SimulatedCluster cluster, Throwable cause) {
    super(message(scenario, cluster, cause), cause);
    seed = cluster.seed().value();
  }

  private static String message(String scenario, SimulatedCluster cluster, Throwable cause) {
    long seed = cluster.seed().value();
    return "%s fails with seed %d after %d steps and %.3f simulated seconds: %s%n%s%nReplay: %s"
        .formatted(
            scenario,
            seed,
            cluster.scheduler().steps(),
            cluster.scheduler().nanos() / 1e9,
            cause,
            cluster.description(),
            Simulate.command(scenario, seed));
  }

  /** The seed. */
  public long seed() {
    return seed;
  }
}
