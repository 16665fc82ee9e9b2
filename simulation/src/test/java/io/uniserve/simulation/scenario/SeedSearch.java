package io.uniserve.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.kernel.Invariant;
import io.uniserve.kernel.InvariantViolation;
import io.uniserve.simulation.FailedSeed;
import io.uniserve.simulation.Scenario;
import io.uniserve.simulation.Simulation;
import io.uniserve.simulation.schedule.SimulationFailure;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks for a seed that notices a planted defect. */
public final class SeedSearch {
  private static final Logger LOG = LoggerFactory.getLogger(SeedSearch.class);
  private static final int SEEDS_MAX = 300;

  private SeedSearch() {}

  /**
   * @param defect what is planted, for people
   * @param noticedAs the invariants that it may break; others do not count
   * @param likely tried first, since it noticed when the test was written; whatever changes the
   *     course of runs may make it another
   * @param scenario with the defect, anew for each seed
   */
  public static void assertSomeSeedNotices(
      String defect, Set<Invariant> noticedAs, long likely, Supplier<Scenario> scenario) {
    OptionalLong noticing =
        LongStream.concat(LongStream.of(likely), LongStream.range(0, SEEDS_MAX))
            .filter(seed -> violated(scenario.get(), seed).filter(noticedAs::contains).isPresent())
            .findFirst();
    assertThat(noticing).as("a seed below %d that notices: %s", SEEDS_MAX, defect).isPresent();
    LOG.info("seed {} notices: {}", noticing.getAsLong(), defect);
  }

  private static Optional<Invariant> violated(Scenario scenario, long seed) {
    try {
      Simulation.play(scenario, seed);
      return Optional.empty();
    } catch (FailedSeed e) {
      return violated(e);
    }
  }

  private static Optional<Invariant> violated(Throwable failure) {
    for (Throwable next = failure; next != null; next = next.getCause()) {
      if (next instanceof InvariantViolation violation) {
        return Optional.of(violation.invariant());
      }
      if (next instanceof SimulationFailure stuck
          && stuck.kind() == SimulationFailure.Kind.NO_PROGRESS) {
        return Optional.of(Invariant.PROGRESS);
      }
    }
    return Optional.empty();
  }
}
