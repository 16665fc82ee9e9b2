package io.uniserve.simulation.search;

import io.uniserve.kernel.InvariantViolation;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.run.Run;
import io.uniserve.simulation.run.Scenario;
import io.uniserve.simulation.schedule.SimulationFailure;

/** The failure of a run in which a check does not hold. Its message says how to see it again. */
public final class FailedSeed extends AssertionError {
  private static final long serialVersionUID = 1L;

  private final transient Run run;
  private final long steps;

  FailedSeed(Scenario scenario, Run run, SimulatedCluster cluster, Throwable cause) {
    super(message(scenario, run, cluster, cause), cause);
    this.run = run;
    steps = cluster.scheduler().steps();
  }

  private static String message(
      Scenario scenario, Run run, SimulatedCluster cluster, Throwable cause) {
    return "%s fails with seed %d after %d steps and %.3f simulated seconds: %s%n%s%nReplay: %s"
        .formatted(
            run.scenario(),
            run.seed(),
            cluster.scheduler().steps(),
            cluster.scheduler().nanos() / 1e9,
            cause,
            cluster.description(),
            Simulate.command(run.scenario(), run.seed()) + scenario.options());
  }

  /** Returns the run. */
  public Run run() {
    return run;
  }

  /** Returns the seed. */
  public long seed() {
    return run.seed();
  }

  /** Returns how many steps it took until it failed. */
  public long steps() {
    return steps;
  }

  /**
   * Returns a word for the check that does not hold; it is the same for two runs that fail in the
   * same way.
   */
  public String what() {
    Throwable deepest = this;
    for (Throwable next = getCause(); next != null; next = next.getCause()) {
      if (next instanceof InvariantViolation violation) {
        return violation.invariant().name();
      }
      deepest = next;
    }
    return deepest instanceof SimulationFailure failure
        ? failure.kind().name()
        : deepest.getClass().getSimpleName();
  }
}
