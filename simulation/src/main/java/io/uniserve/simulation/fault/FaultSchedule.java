package io.uniserve.simulation.fault;

import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.SimulatedProcess;
import io.uniserve.simulation.schedule.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Lets things go wrong at random moments, several at once, until it is stopped; then everything is
 * repaired and every process runs.
 */
public final class FaultSchedule {
  private final SimulatedCluster cluster;
  private final FaultSettings settings;
  private final FaultMaker maker;
  private final RandomGenerator random;
  private final List<Fault> active = new ArrayList<>();
  private Event next;
  private boolean stopped;

  /**
   * @param cluster that suffers
   * @param settings what happens how often
   */
  public FaultSchedule(SimulatedCluster cluster, FaultSettings settings) {
    this.cluster = cluster;
    this.settings = settings;
    random = cluster.seed().random("faults");
    maker = new FaultMaker(cluster, settings, random);
  }

  /** Begins. */
  public void begin() {
    long calm = random.nextLong(settings.calmMax().toNanos());
    next = cluster.scheduler().at(cluster.scheduler().nanos() + calm, this::goWrong);
  }

  private void goWrong() {
    FaultKind kind = settings.kinds().get(random.nextInt(settings.kinds().size()));
    maker.make(kind, down()).ifPresent(this::strike);
    begin();
  }

  private void strike(Fault fault) {
    fault.begin().run();
    active.add(fault);
    long duration = random.nextLong(settings.faultMax().toNanos());
    cluster.scheduler().at(cluster.scheduler().nanos() + duration, () -> repair(fault));
  }

  private void repair(Fault fault) {
    if (active.remove(fault)) {
      fault.end().run();
    }
  }

  private List<String> down() {
    return cluster.processes().stream()
        .filter(process -> !process.running() || process.paused())
        .map(SimulatedProcess::name)
        .toList();
  }

  /** Repairs everything, starts what is down, and lets nothing go wrong any more. */
  public void stop() {
    if (!stopped) {
      stopped = true;
      next.cancel();
      List.copyOf(active).forEach(this::repair);
      cluster.network().heal();
      cluster.processes().forEach(SimulatedProcess::start);
      cluster.scheduler().note("the faults have stopped");
    }
  }
}
