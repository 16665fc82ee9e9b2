package io.uniserve.simulation.fault;

import io.uniserve.simulation.SimulatedCluster;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A schedule that begins and ends faults one after another, each when the damage of the last is
 * mended.
 */
public final class FaultsInTurn {
  private static final Duration MENDING_MAX = Duration.ofSeconds(90);

  private final SimulatedCluster cluster;
  private final FaultEffects effects;
  private final List<Fault> faults;

  /**
   * @param cluster that is affected
   * @param faults begin later than planned if mending takes long, with the same pauses
   */
  public FaultsInTurn(SimulatedCluster cluster, List<Fault> faults) {
    this.cluster = cluster;
    this.effects = new FaultEffects(cluster);
    this.faults = faults.stream().sorted(Comparator.comparing(Fault::atNanos)).toList();
  }

  /**
   * Plays all faults.
   *
   * @param mended tells whether another process may fail now
   */
  public void play(BooleanSupplier mended) {
    long plannedEndNanos = 0;
    for (Fault fault : faults) {
      cluster.run(Duration.ofNanos(Math.max(0, fault.atNanos() - plannedEndNanos)));
      cluster.runUntil("another process may fail", mended, MENDING_MAX);
      effects.begin(fault);
      cluster.run(Duration.ofNanos(fault.lastsNanos()));
      effects.end(fault);
      plannedEndNanos = fault.endNanos();
    }
  }
}
