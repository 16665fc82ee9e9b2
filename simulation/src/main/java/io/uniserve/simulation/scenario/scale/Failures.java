package io.uniserve.simulation.scenario.scale;

import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.fault.Fault;
import io.uniserve.simulation.fault.FaultKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The failures of machines. Servers crash and come back, machines are lost with their disks, racks
 * fail as a whole, and servers and controllers stand still. A failure of a machine on which nothing
 * runs has no effect.
 */
final class Failures {
  private static final Duration CRASH_MAX = Duration.ofMinutes(10);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(60);
  private static final Duration CONTROLLER_PAUSE_MAX = Duration.ofSeconds(15);

  /** The share of servers in one rack. */
  private static final double RACK = 0.01;

  private final SimulatedCluster cluster;
  private final Machines machines;
  private final List<Runnable> repairs = new ArrayList<>();
  private long happened;
  private boolean stopped;

  Failures(SimulatedCluster cluster, Machines machines) {
    this.cluster = cluster;
    this.machines = machines;
  }

  /**
   * Plans the faults of a day. Of a thousand servers about 250 crash, 50 are lost for hours, and 50
   * stand still; a few racks fail; controllers stand still a few times. Smaller clusters and
   * shorter days get a share, with at least a few faults.
   */
  static List<Fault> plan(ScaleSize size, List<String> controllers, RandomGenerator random) {
    double share = size.servers() / 1_000.0 * size.minutes() / 1_440;
    List<Fault> faults = new ArrayList<>();
    for (int i = 0; i < 6 + 250 * share; i++) {
      faults.add(one(FaultKind.CRASH, size, random, CRASH_MAX));
    }
    for (int i = 0; i < 2 + 50 * share; i++) {
      faults.add(one(FaultKind.DISK_LOSS, size, random, size.day().dividedBy(8)));
    }
    for (int i = 0; i < 2 + 50 * share; i++) {
      faults.add(one(FaultKind.PAUSE, size, random, PAUSE_MAX));
    }
    for (int i = 0; i < 1 + 4 * share; i++) {
      int first = random.nextInt(size.servers());
      List<String> rack = new ArrayList<>();
      int last = Math.min(size.servers() - 1, first + (int) Math.ceil(size.servers() * RACK));
      for (int number = first; number <= last; number++) {
        rack.add(Machines.NAMES.name(number));
      }
      faults.add(fault(FaultKind.CRASH, size, random, CRASH_MAX, rack));
    }
    for (int i = 0; controllers.size() > 1 && i < 2 + 8 * share; i++) {
      String controller = controllers.get(random.nextInt(controllers.size()));
      faults.add(fault(FaultKind.PAUSE, size, random, CONTROLLER_PAUSE_MAX, List.of(controller)));
    }
    return faults;
  }

  private static Fault one(
      FaultKind kind, ScaleSize size, RandomGenerator random, Duration longest) {
    String victim = Machines.NAMES.name(random.nextInt(size.servers()));
    return fault(kind, size, random, longest, List.of(victim));
  }

  private static Fault fault(
      FaultKind kind,
      ScaleSize size,
      RandomGenerator random,
      Duration longest,
      List<String> victims) {
    return new Fault(
        kind,
        random.nextLong(size.day().toNanos()),
        random.nextLong(longest.toNanos() / 20, longest.toNanos()),
        victims,
        List.of(),
        0);
  }

  /** Returns how many processes were affected. */
  long happened() {
    return happened;
  }

  void begin(List<Fault> faults) {
    long now = cluster.scheduler().nanos();
    for (Fault fault : faults) {
      for (String victim : fault.victims()) {
        cluster.scheduler().at(now + fault.atNanos(), () -> goWrong(fault, victim));
      }
    }
  }

  private void goWrong(Fault fault, String victim) {
    if (stopped || !cluster.process(victim).running() || cluster.process(victim).paused()) {
      return;
    }
    happened++;
    switch (fault.kind()) {
      case PAUSE -> pause(victim, fault.lastsNanos());
      case CRASH, DISK_LOSS -> down(machines.named(victim), fault);
      default -> throw new IllegalArgumentException(fault + " does not happen in this scenario");
    }
  }

  private void pause(String victim, long nanos) {
    cluster.process(victim).pause();
    repairLater(nanos, () -> cluster.process(victim).resume());
  }

  private void down(Machine machine, Fault fault) {
    machine.broken(true);
    if (fault.kind() == FaultKind.CRASH) {
      machine.process().crash();
    } else {
      machine.process().loseDisk();
      machine.wipe();
    }
    repairLater(
        fault.lastsNanos(),
        () -> {
          machine.broken(false);
          machines.startIfWanted(machine);
        });
  }

  private void repairLater(long nanos, Runnable repair) {
    repairs.add(repair);
    cluster.scheduler().at(cluster.scheduler().nanos() + nanos, () -> repairNow(repair));
  }

  private void repairNow(Runnable repair) {
    if (repairs.remove(repair)) {
      repair.run();
    }
  }

  /** Repairs everything, and begins no further faults. */
  void stop() {
    stopped = true;
    List.copyOf(repairs).forEach(this::repairNow);
  }
}
