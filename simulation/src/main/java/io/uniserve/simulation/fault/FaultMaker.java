package io.uniserve.simulation.fault;

import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.SimulatedProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Makes faults of each kind, choosing their victims and measure. */
final class FaultMaker {
  private static final double LOSS_MAX = 0.15;
  private static final double SLOWNESS_MAX = 200;
  private static final long SKEW_SECONDS_MAX = 1_200;
  private static final double DRIFT_MAX = 0.02;

  private final SimulatedCluster cluster;
  private final FaultSettings settings;
  private final RandomGenerator random;

  FaultMaker(SimulatedCluster cluster, FaultSettings settings, RandomGenerator random) {
    this.cluster = cluster;
    this.settings = settings;
    this.random = random;
  }

  /** A fault of this kind, or none if too much is down already. */
  Optional<Fault> make(FaultKind kind, List<String> downNow) {
    SimulatedProcess victim = cluster.process(any(settings.victims()));
    boolean mayGoDown = downNow.size() < settings.downMax() && !downNow.contains(victim.name());
    return switch (kind) {
      case CRASH -> when(mayGoDown, new Fault(victim::crash, victim::start));
      case POWER_FAILURE -> when(mayGoDown, new Fault(victim::failPower, victim::start));
      case DISK_LOSS -> when(mayGoDown, new Fault(victim::loseDisk, victim::start));
      case PAUSE -> when(mayGoDown, new Fault(victim::pause, victim::resume));
      case ONE_WAY_CUT -> Optional.of(oneWayCut());
      case PARTITION -> Optional.of(partition());
      case MESSAGE_LOSS -> Optional.of(messageLoss());
      case SLOW_LINK -> Optional.of(slowLink());
      case SLOW_DISK -> Optional.of(slowDisk(victim));
      case FULL_DISK -> Optional.of(fullDisk(victim));
      case CLOCK_SKEW -> Optional.of(clockSkew(victim));
      case CLOCK_DRIFT -> Optional.of(clockDrift(victim));
    };
  }

  private static Optional<Fault> when(boolean possible, Fault fault) {
    return possible ? Optional.of(fault) : Optional.empty();
  }

  private Fault oneWayCut() {
    String from = any(names());
    String to = any(names().stream().filter(name -> !name.equals(from)).toList());
    return new Fault(() -> cluster.network().cut(from, to), () -> cluster.network().mend(from, to));
  }

  private Fault partition() {
    List<String> these = new ArrayList<>();
    List<String> those = new ArrayList<>();
    names().forEach(name -> (random.nextBoolean() ? these : those).add(name));
    return new Fault(
        () -> cluster.network().partition(these, those),
        () -> cluster.network().rejoin(these, those));
  }

  private Fault messageLoss() {
    double share = random.nextDouble(LOSS_MAX);
    return new Fault(() -> cluster.network().lose(share), () -> cluster.network().lose(0));
  }

  private Fault slowLink() {
    String one = any(names());
    String other = any(names());
    double factor = random.nextDouble(2, SLOWNESS_MAX);
    return new Fault(
        () -> cluster.network().slow(one, other, factor),
        () -> cluster.network().slow(one, other, 1));
  }

  private Fault slowDisk(SimulatedProcess victim) {
    double factor = random.nextDouble(2, SLOWNESS_MAX);
    return new Fault(() -> slowDisk(victim, factor), () -> slowDisk(victim, 1));
  }

  private void slowDisk(SimulatedProcess victim, double factor) {
    cluster.scheduler().note("the disk of " + victim + " is slower by " + factor);
    victim.disk().slow(factor);
  }

  private Fault fullDisk(SimulatedProcess victim) {
    return new Fault(
        () -> {
          cluster.scheduler().note("the disk of " + victim + " is full");
          victim.disk().fill();
        },
        () -> victim.disk().free());
  }

  private Fault clockSkew(SimulatedProcess victim) {
    Duration skew = Duration.ofSeconds(random.nextLong(-SKEW_SECONDS_MAX, SKEW_SECONDS_MAX));
    return new Fault(
        () -> {
          cluster.scheduler().note("the clock of " + victim + " is off by " + skew);
          victim.clockError().skew(skew);
        },
        () -> victim.clockError().skew(Duration.ZERO));
  }

  private Fault clockDrift(SimulatedProcess victim) {
    double rate = 1 + random.nextDouble(-DRIFT_MAX, DRIFT_MAX);
    return new Fault(() -> drift(victim, rate), () -> drift(victim, 1));
  }

  private void drift(SimulatedProcess victim, double rate) {
    cluster.scheduler().note("the clock of " + victim + " runs at " + rate);
    victim.clockError().rate(cluster.scheduler().nanos(), rate);
  }

  private List<String> names() {
    return cluster.processes().stream().map(SimulatedProcess::name).toList();
  }

  private String any(List<String> names) {
    return names.get(random.nextInt(names.size()));
  }
}
