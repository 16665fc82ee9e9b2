package io.uniserve.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.kernel.Invariant;
import io.uniserve.kernel.InvariantViolation;
import io.uniserve.simulation.run.Scenario;
import io.uniserve.simulation.schedule.SimulationFailure;
import io.uniserve.simulation.search.FailedSeed;
import io.uniserve.simulation.search.Simulation;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A search for a seed that notices a planted defect: first the one that {@link LikelySeeds} names,
 * then all others. {@code mvn -DlikelySeeds=12} records anew, for each defect, the seed below 12
 * that notices earliest.
 */
public final class SeedSearch {
  private static final Logger LOG = LoggerFactory.getLogger(SeedSearch.class);
  private static final int SEEDS_MAX = 600;
  private static final long STEPS_FIRST = 50_000;
  private static final long LIKELY_BELOW = Long.getLong("likelySeeds", 0);

  private final Set<Invariant> noticedAs;
  private final Supplier<Scenario> scenario;

  /**
   * @param noticedAs the invariants that a defect may break; others do not count
   * @param scenario supplies the scenario with the defect, anew for each seed
   */
  SeedSearch(Set<Invariant> noticedAs, Supplier<Scenario> scenario) {
    this.noticedAs = noticedAs;
    this.scenario = scenario;
  }

  /**
   * @param defect the name of the defect for people; no other defect has it
   * @param noticedAs the invariants that the defect may break; others do not count
   * @param scenario supplies the scenario with the defect, anew for each seed
   */
  public static void assertSomeSeedNotices(
      String defect, Set<Invariant> noticedAs, Supplier<Scenario> scenario) {
    SeedSearch search = new SeedSearch(noticedAs, scenario);
    OptionalLong likely =
        LIKELY_BELOW > 0 ? search.soonest(LIKELY_BELOW) : LikelySeeds.KEPT.of(defect);
    OptionalLong noticing = search.first(likely);
    assertThat(noticing).as("a seed below %d that notices: %s", SEEDS_MAX, defect).isPresent();
    LOG.info("seed {} notices: {}", noticing.getAsLong(), defect);
    if (LIKELY_BELOW > 0) {
      LikelySeeds.KEPT.put(defect, noticing.getAsLong());
    }
  }

  /** Returns the likely seed if it notices, else the first seed that does. */
  OptionalLong first(OptionalLong likely) {
    return LongStream.concat(likely.stream(), LongStream.range(0, SEEDS_MAX))
        .filter(seed -> stepsToNotice(scenario.get(), seed).isPresent())
        .findFirst();
  }

  /**
   * Returns the seed that notices after the fewest steps. All seeds get a small number of steps
   * first, and then a larger one.
   */
  OptionalLong soonest(long below) {
    long stepsMax = scenario.get().settings().stepsMax();
    OptionalLong soonest = OptionalLong.empty();
    for (long few = STEPS_FIRST; soonest.isEmpty() && few < stepsMax; few *= 2) {
      soonest = soonest(below, few);
    }
    return soonest;
  }

  private OptionalLong soonest(long below, long stepsMax) {
    OptionalLong soonest = OptionalLong.empty();
    long fewest = stepsMax;
    for (long seed = 0; seed < below; seed++) {
      OptionalLong steps = stepsToNotice(new ShortScenario(scenario.get(), fewest), seed);
      if (steps.isPresent()) {
        fewest = steps.getAsLong();
        soonest = OptionalLong.of(seed);
      }
    }
    return soonest;
  }

  private OptionalLong stepsToNotice(Scenario played, long seed) {
    try {
      Simulation.play(played, seed);
      return OptionalLong.empty();
    } catch (FailedSeed e) {
      return violated(e).filter(noticedAs::contains).isPresent()
          ? OptionalLong.of(e.steps())
          : OptionalLong.empty();
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
