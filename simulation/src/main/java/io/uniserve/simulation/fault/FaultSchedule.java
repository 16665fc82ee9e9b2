package io.uniserve.simulation.fault;

import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.SimulatedProcess;
import io.uniserve.simulation.schedule.Event;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * A schedule that begins and ends faults at their moments until it is stopped; then everything is
 * repaired and every process runs.
 */
public final class FaultSchedule {
  private final SimulatedCluster cluster;
  private final FaultEffects effects;
  private final Deque<Fault> coming;
  private final List<Fault> active = new ArrayList<>();
  private long beganNanos;
  private Optional<Event> next = Optional.empty();
  private boolean stopped;

  /**
   * @param cluster that is affected
   * @param faults the faults, in any order
   */
  public FaultSchedule(SimulatedCluster cluster, List<Fault> faults) {
    this.cluster = cluster;
    effects = new FaultEffects(cluster);
    coming =
        new ArrayDeque<>(faults.stream().sorted(Comparator.comparing(Fault::atNanos)).toList());
  }

  /** Begins the schedule. */
  public void begin() {
    beganNanos = cluster.scheduler().nanos();
    await();
  }

  private void await() {
    next =
        Optional.ofNullable(coming.peek())
            .map(fault -> cluster.scheduler().at(beganNanos + fault.atNanos(), this::goWrong));
  }

  private void goWrong() {
    Fault fault = coming.remove();
    effects.begin(fault);
    active.add(fault);
    cluster.scheduler().at(beganNanos + fault.endNanos(), () -> repair(fault));
    await();
  }

  private void repair(Fault fault) {
    if (active.remove(fault)) {
      effects.end(fault);
    }
  }

  /** Repairs everything, starts all processes, and begins no further faults. */
  public void stop() {
    if (!stopped) {
      stopped = true;
      next.ifPresent(Event::cancel);
      List.copyOf(active).forEach(this::repair);
      cluster.network().heal();
      cluster.processes().forEach(SimulatedProcess::start);
      cluster.scheduler().note("the faults have stopped");
    }
  }
}
