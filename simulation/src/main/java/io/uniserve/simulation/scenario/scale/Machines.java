package io.uniserve.simulation.scenario.scale;

import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.control.scaling.ServerNames;
import io.uniserve.runtime.control.scaling.ServerProvider;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.simulation.schedule.Scheduler;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * All machines, and the provider that starts and ends servers on them. A start takes a minute or
 * two; a server that ends says so. A request for a broken machine is carried out once it is mended.
 */
final class Machines implements ServerProvider {
  /** The names of all servers. */
  static final ServerNames NAMES = new ServerNames("server-", 0);

  private static final Duration BOOT_MIN = Duration.ofSeconds(20);
  private static final Duration BOOT_MAX = Duration.ofSeconds(90);

  private final Map<String, Machine> byName = new TreeMap<>();
  private final Scheduler scheduler;
  private final RandomGenerator random;
  private final Supplier<ClusterState> newest;
  private long version;
  private long started;
  private long ended;

  /**
   * @param newest returns the newest cluster state that anybody has
   */
  Machines(Scheduler scheduler, RandomGenerator random, Supplier<ClusterState> newest) {
    this.scheduler = scheduler;
    this.random = random;
    this.newest = newest;
  }

  void add(Machine machine) {
    byName.put(machine.name(), machine);
  }

  Machine named(String name) {
    return byName.get(name);
  }

  Iterable<Machine> all() {
    return byName.values();
  }

  long started() {
    return started;
  }

  long ended() {
    return ended;
  }

  @Override
  public ServerNames names() {
    return NAMES;
  }

  @Override
  public boolean endsAny() {
    return true;
  }

  @Override
  public Optional<String> problem() {
    return Optional.empty();
  }

  @Override
  public void want(long ofVersion, SortedSet<String> running) {
    if (ofVersion < version) {
      return;
    }
    version = ofVersion;
    for (Machine machine : byName.values()) {
      boolean wanted = running.contains(machine.name());
      if (wanted && !machine.wanted()) {
        machine.want(true);
        started++;
        startLater(machine);
      } else if (!wanted && machine.wanted()) {
        machine.want(false);
        ended++;
        end(machine);
      }
    }
  }

  /** Starts a server at once, for the first servers. */
  void startNow(Machine machine) {
    machine.want(true);
    machine.process().start();
  }

  private void startLater(Machine machine) {
    long pause = random.nextLong(BOOT_MIN.toNanos(), BOOT_MAX.toNanos());
    scheduler.at(scheduler.nanos() + pause, () -> startIfWanted(machine));
  }

  /** Starts a server where one is wanted and possible. */
  void startIfWanted(Machine machine) {
    if (machine.wanted() && !machine.broken()) {
      machine.process().start();
    }
  }

  private void end(Machine machine) {
    ClusterState state = newest.get();
    boolean needed =
        state.tables().values().stream()
            .flatMap(table -> table.actors().stream())
            .anyMatch(actor -> needs(actor, machine.name()));
    Invariant.NOTHING_LEFT_BEHIND.require(
        !needed, () -> machine.name() + " is ended while it has a copy of some actor");
    machine.server().ifPresent(ModelledServer::end);
  }

  private static boolean needs(ActorState actor, String server) {
    return actor.copyOn(server).isPresent();
  }
}
