package io.uniserve.simulation.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The choice of faults, their moments, victims and measures. */
public final class FaultPlanner {
  private static final double OUTAGE_SHARE = 0.8;
  private static final double ENGINE_MAX = 0.3;
  private static final double LOSS_MAX = 0.15;
  private static final double SLOWNESS_MAX = 200;
  private static final long SKEW_SECONDS_MAX = 1_200;
  private static final double DRIFT_MAX = 0.02;
  private static final double FAILING_MAX = 0.3;

  /** The time that a copy may still be kept shut once its engine works again. */
  private static final long AFTER_NANOS = 5_000_000_000L;

  /**
   * The shortest cut. Connections survive shorter cuts, since they send again; simulated calls do
   * not, and may hear of it late.
   */
  private static final long CUT_MIN_NANOS = 3_000_000_000L;

  /** A time longer than any wait. */
  private static final long APART_MIN_NANOS = 12_000_000_000L;

  private final FaultSettings settings;
  private final List<String> processes;
  private final RandomGenerator random;
  private final List<Fault> planned = new ArrayList<>();

  private FaultPlanner(FaultSettings settings, List<String> processes, RandomGenerator random) {
    this.settings = settings;
    this.processes = processes;
    this.random = random;
  }

  /**
   * Faults at random moments, several at once.
   *
   * @param settings the kinds of faults and their frequencies
   * @param processes all of the cluster
   * @param random decides
   * @param lengthNanos the length of the period with faults
   */
  public static List<Fault> plan(
      FaultSettings settings, List<String> processes, RandomGenerator random, long lengthNanos) {
    FaultPlanner planner = new FaultPlanner(settings, processes, random);
    long at = planner.calm();
    while (at <= lengthNanos) {
      planner.goWrong(at);
      at += planner.calm();
    }
    return List.copyOf(planner.planned);
  }

  /** Plans faults one after another, each of which takes one victim away from all others. */
  public static List<Fault> planInTurn(
      FaultSettings settings, List<String> processes, RandomGenerator random, long lengthNanos) {
    FaultPlanner planner = new FaultPlanner(settings, processes, random);
    long at = planner.calm();
    while (at <= lengthNanos) {
      Fault fault = planner.alone(at);
      planner.planned.add(fault);
      at = fault.endNanos() + planner.calm();
    }
    return List.copyOf(planner.planned);
  }

  private Fault alone(long at) {
    FaultKind kind = settings.kinds().get(random.nextInt(settings.kinds().size()));
    if (kind == FaultKind.SERVERS_APART) {
      return apart(at);
    }
    String victim = any(settings.victims());
    boolean cut = kind == FaultKind.PARTITION;
    List<String> others =
        cut ? processes.stream().filter(name -> !name.equals(victim)).toList() : List.of();
    long lasts = (cut ? CUT_MIN_NANOS : 0) + random.nextLong(settings.faultMax().toNanos());
    return new Fault(kind, at, lasts, List.of(victim), others, 0);
  }

  private Fault apart(long at) {
    Effect two = twoServers().orElseThrow();
    long lasts = APART_MIN_NANOS + random.nextLong(settings.faultMax().toNanos());
    return new Fault(FaultKind.SERVERS_APART, at, lasts, two.victims(), two.others(), 0);
  }

  private long calm() {
    return random.nextLong(settings.calmMax().toNanos());
  }

  private void goWrong(long at) {
    FaultKind kind = settings.kinds().get(random.nextInt(settings.kinds().size()));
    if (kind == FaultKind.OUTAGE) {
      outage(at);
      return;
    }
    make(kind, at)
        .ifPresent(
            effect ->
                planned.add(
                    new Fault(
                        kind,
                        at,
                        lasts(kind),
                        effect.victims(),
                        effect.others(),
                        effect.measure())));
  }

  private long lasts(FaultKind kind) {
    long most = settings.faultMax().toNanos();
    return random.nextLong(kind == FaultKind.SERVERS_APART ? APART_MIN_NANOS : most);
  }

  /** Ends each process that runs with some probability, whatever their number. */
  private void outage(long at) {
    List<String> down = down(at);
    for (String victim : settings.victims()) {
      if (!down.contains(victim) && random.nextDouble() < OUTAGE_SHARE) {
        long lasts = random.nextLong(settings.faultMax().toNanos());
        planned.add(new Fault(FaultKind.OUTAGE, at, lasts, List.of(victim), List.of(), 0));
      }
    }
  }

  /** The victims of a fault, and its measure. */
  private record Effect(List<String> victims, List<String> others, double measure) {}

  /** Returns the effect of a fault of this kind; empty if too many processes are down then. */
  private Optional<Effect> make(FaultKind kind, long at) {
    String victim = any(settings.victims());
    return switch (kind) {
      case OUTAGE -> throw new IllegalArgumentException("an outage is several faults");
      case CRASH, DISK_LOSS, PAUSE ->
          mayGoDown(victim, at)
              ? Optional.of(new Effect(List.of(victim), List.of(), 0))
              : Optional.empty();
      case POWER_FAILURE ->
          mayGoDown(victim, at) && !anySuffers(FaultKind.FAILING_ENGINE, at)
              ? Optional.of(new Effect(List.of(victim), List.of(), 0))
              : Optional.empty();
      case SUSPENSION ->
          mayGoDown(victim, at) && !suffers(FaultKind.CLOCK_SKEW, victim, at)
              ? Optional.of(new Effect(List.of(victim), List.of(), 0))
              : Optional.empty();
      case ONE_WAY_CUT -> oneWayCut();
      case PARTITION -> Optional.of(partition());
      case SERVERS_APART -> twoServers();
      case MESSAGE_LOSS ->
          Optional.of(new Effect(List.of(), List.of(), random.nextDouble(LOSS_MAX)));
      case SLOW_LINK ->
          Optional.of(new Effect(List.of(any(processes)), List.of(any(processes)), slowness()));
      case SLOW_DISK -> Optional.of(new Effect(List.of(victim), List.of(), slowness()));
      case FULL_DISK -> Optional.of(new Effect(List.of(victim), List.of(), 0));
      case CLOCK_SKEW -> {
        double seconds = random.nextLong(-SKEW_SECONDS_MAX, SKEW_SECONDS_MAX);
        // A time of day that is set while the other clock stands still leaves no sound clock.
        yield suffers(FaultKind.SUSPENSION, victim, at)
            ? Optional.empty()
            : Optional.of(new Effect(List.of(victim), List.of(), seconds));
      }
      case CLOCK_DRIFT ->
          Optional.of(
              new Effect(List.of(victim), List.of(), 1 + random.nextDouble(-DRIFT_MAX, DRIFT_MAX)));
      case FAILING_ENGINE -> {
        // The copy that its engine keeps shut may be the only one with what a disk forgets.
        double failing = random.nextDouble(ENGINE_MAX);
        yield anySuffers(FaultKind.POWER_FAILURE, at)
            ? Optional.empty()
            : Optional.of(new Effect(List.of(victim), List.of(), failing));
      }
      case FAILED_WRITES, FAILED_READS ->
          Optional.of(new Effect(List.of(victim), List.of(), random.nextDouble(FAILING_MAX)));
      case FAILED_FORCES -> ofBadDisk(random.nextDouble(FAILING_MAX));
      case ROT_AT_REST -> ofBadDisk(0);
      // Damage of the end of a log looks like an append that a crash has cut off.
      case FLIPPED_BIT, LOST_WRITE, MISDIRECTED_WRITE ->
          ofBadDisk(0).filter(effect -> !down(at).contains(effect.victims().getFirst()));
      case ROT_WHILE_DOWN ->
          ofBadDisk(0).filter(effect -> mayGoDown(effect.victims().getFirst(), at));
    };
  }

  private Optional<Effect> ofBadDisk(double measure) {
    return settings.badDisks().isEmpty()
        ? Optional.empty()
        : Optional.of(new Effect(List.of(any(settings.badDisks())), List.of(), measure));
  }

  private boolean mayGoDown(String victim, long at) {
    List<String> down = down(at);
    return down.size() < settings.downMax() && !down.contains(victim);
  }

  private boolean suffers(FaultKind kind, String victim, long at) {
    return planned.stream()
        .anyMatch(
            fault ->
                fault.kind() == kind && fault.victims().contains(victim) && fault.endNanos() > at);
  }

  /** Returns whether any victim suffers a fault, or what it has left behind. */
  private boolean anySuffers(FaultKind kind, long at) {
    return planned.stream()
        .anyMatch(fault -> fault.kind() == kind && fault.endNanos() + AFTER_NANOS > at);
  }

  private List<String> down(long at) {
    return planned.stream()
        .filter(fault -> fault.kind().takesDown() && fault.endNanos() > at)
        .flatMap(fault -> fault.victims().stream())
        .toList();
  }

  private double slowness() {
    return random.nextDouble(2, SLOWNESS_MAX);
  }

  private Optional<Effect> oneWayCut() {
    String from = any(processes);
    List<String> others = processes.stream().filter(name -> !name.equals(from)).toList();
    return Optional.of(new Effect(List.of(from), List.of(any(others)), 0));
  }

  private Optional<Effect> twoServers() {
    if (settings.servers().size() < 2) {
      return Optional.empty();
    }
    String one = any(settings.servers());
    List<String> others = settings.servers().stream().filter(name -> !name.equals(one)).toList();
    return Optional.of(new Effect(List.of(one), List.of(any(others)), 0));
  }

  private Effect partition() {
    List<String> these = new ArrayList<>();
    List<String> those = new ArrayList<>();
    processes.forEach(name -> (random.nextBoolean() ? these : those).add(name));
    return new Effect(these, those, 0);
  }

  private String any(List<String> names) {
    return names.get(random.nextInt(names.size()));
  }
}
