package io.uniserve.simulation.search;

import io.uniserve.simulation.fault.Fault;
import io.uniserve.simulation.run.Run;
import io.uniserve.simulation.run.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The shrinking of a failing run. It leaves out faults, processes, clients and work as long as the
 * run fails in the same way. Each omission changes the rest of the run, so each smaller run is
 * tried with a few seeds. Delta debugging, as in Zeller and Hildebrandt, "Simplifying and Isolating
 * Failure-Inducing Input" (IEEE TSE 2002), of the faults; of the rest, one step after another.
 */
public final class Shrinker {
  /** The number of seeds with which each smaller run is tried. */
  private static final int SEEDS = 3;

  private final Scenario scenario;
  private final LongSupplier nanos;
  private final long untilNanos;
  private FailedSeed smallest;
  private int tried;

  /**
   * @param failed the failed run, to be made small
   * @param nanos returns the time, in nanoseconds
   * @param budget the time after which no other run is tried
   */
  public Shrinker(Scenario scenario, FailedSeed failed, LongSupplier nanos, Duration budget) {
    this.scenario = scenario;
    this.smallest = failed;
    this.nanos = nanos;
    this.untilNanos = nanos.getAsLong() + budget.toNanos();
  }

  /** Returns how many runs were tried. */
  public int tried() {
    return tried;
  }

  /** Returns the smallest run that was found to fail in the same way, possibly the first. */
  public FailedSeed shrink() {
    boolean smaller = true;
    while (smaller && inTime()) {
      smaller = fewerFaults() | less() | shorterFaults();
    }
    return smallest;
  }

  private boolean inTime() {
    return nanos.getAsLong() < untilNanos;
  }

  /** Leaves out halves, then quarters, and so on down to single faults. */
  private boolean fewerFaults() {
    boolean any = false;
    int size = smallest.run().faults().size();
    for (int length = Math.max(1, size / 2); length >= 1 && inTime(); length /= 2) {
      int from = 0;
      while (from < smallest.run().faults().size() && inTime()) {
        List<Fault> faults = new ArrayList<>(smallest.run().faults());
        faults.subList(from, Math.min(faults.size(), from + length)).clear();
        if (fails(smallest.run().withFaults(faults))) {
          any = true;
        } else {
          from += length;
        }
      }
    }
    return any;
  }

  private boolean less() {
    boolean any = false;
    boolean found = true;
    while (found && inTime()) {
      found = scenario.smaller(smallest.run()).stream().anyMatch(this::failsInTime);
      any |= found;
    }
    return any;
  }

  /** Shortens faults. That takes many steps for little, so it comes last. */
  private boolean shorterFaults() {
    boolean any = false;
    for (int i = 0; i < smallest.run().faults().size() && inTime(); i++) {
      List<Fault> faults = new ArrayList<>(smallest.run().faults());
      faults.set(i, faults.get(i).shorter());
      boolean worthIt = faults.get(i).lastsNanos() > Duration.ofMillis(100).toNanos();
      any |= worthIt && fails(smallest.run().withFaults(faults));
    }
    return any;
  }

  private boolean failsInTime(Run candidate) {
    return inTime() && fails(candidate);
  }

  private boolean fails(Run candidate) {
    for (int i = 0; i < SEEDS && inTime(); i++) {
      Optional<FailedSeed> failure = play(candidate.withSeed(candidate.seed() + i));
      if (failure.isPresent() && failure.get().what().equals(smallest.what())) {
        smallest = failure.get();
        return true;
      }
    }
    return false;
  }

  private Optional<FailedSeed> play(Run candidate) {
    tried++;
    try {
      Simulation.play(scenario, candidate, line -> {});
      return Optional.empty();
    } catch (FailedSeed e) {
      return Optional.of(e);
    }
  }
}
