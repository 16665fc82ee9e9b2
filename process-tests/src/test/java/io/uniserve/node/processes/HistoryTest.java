package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.processes.Faults.Kind;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.scenario.cluster.recording.LogWitness;
import io.uniserve.testkit.tools.Hosts;
import io.uniserve.testkit.tools.Namespaces;
import io.uniserve.testkit.tools.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of the simulator's clients on real processes, at every level of updates, under {@code kill
 * -9}, {@code SIGSTOP} and partitions. The simulator's checks judge the answers that the clients
 * get. {@code -Dhistory.seconds=600} continues for ten minutes, {@code -Dhistory.seed=N} selects
 * other faults. {@code -Dhistory.strikes='KILL COPIES|KILL ALL|FULL .*|ROT .*'} plays only the
 * faults whose kind and target match, and leaves out the restarts at the end.
 *
 * <p>The test runs in rounds, each with new tables, of three copies each or of two, and every kind
 * of fault. One server at a time has a bad disk, and the next gets one only when all copies can be
 * read again. All copies of an actor, and all processes, end at once, with their disks intact. In
 * longer attacks, the table whose updates are in the store is restored while the store is in
 * trouble. At the end every process is restarted, one after another. No acknowledged update may
 * ever be lost.
 */
@Tag("processes")
@Timeout(3600)
class HistoryTest {
  private static final int CONTROLLERS = 3;
  private static final int SERVERS = 4;
  private static final int ACTORS = 3;

  /** The number of copies of each actor, in one round and in the next. */
  private static final int[] COPIES = {3, 2};

  private static final int DISK_MEBIBYTES = 128;
  private static final long SEED = Long.getLong("history.seed", 1);
  private static final Duration LENGTH = Duration.ofSeconds(Long.getLong("history.seconds", 0));

  /** The faults that are played, if not all are. */
  private static final Optional<Pattern> STRIKES =
      Optional.ofNullable(System.getProperty("history.strikes")).map(Pattern::compile);

  /** The directory in which histories are kept even if they hold. */
  private static final Optional<Path> KEPT =
      Optional.ofNullable(System.getProperty("history.keep")).map(Path::of);

  private static final Path FAILED = Path.of("target", "failed-histories");

  /**
   * The longest time between a fault's beginning and its end, unless the fault waits for the end of
   * a lease.
   */
  private static final int FAULT_MILLIS_MAX = 3_000;

  /** The shortest time that a disk is full, long enough for many updates to be refused. */
  private static final int FULL_MILLIS_MIN = 2_000;

  /**
   * The shortest time that two servers are apart, long enough for updates to continue without the
   * other copy.
   */
  private static final int APART_MILLIS_MIN = 4_000;

  /** The name of a table that is restored while a fault lasts. */
  private static final String RESTORED = "restored";

  /** The number of events of every table before a fault and during it. */
  private static final int EVENTS = 40;

  private static final List<Consistency> LEVELS = List.of(Consistency.values());

  private enum Target {
    /** A server that is the primary of an actor. */
    PRIMARY,
    /** The controller that leads. */
    LEADER,
    /** A primary and the leading controller. */
    BOTH,
    /** All servers that have a copy of one actor. */
    COPIES,
    /** The servers of two copies of an actor. */
    PAIR,
    /** All servers and controllers. */
    ALL,
    NOBODY
  }

  /** A kind of fault and its victims. */
  private record Strike(Kind kind, Target target) {
    boolean isSelected() {
      return STRIKES.isEmpty() || STRIKES.get().matcher(kind + " " + target).matches();
    }
  }

  @TempDir private Path directory;
  private final Random random = new Random(SEED);
  private final LogWitness log = new LogWitness();
  private final List<String> schedule = new ArrayList<>();
  private final List<TableHistory> histories = new ArrayList<>();
  private ProcessCluster cluster;
  private RemoteCluster remote;
  private Faults faults;
  private final ExecutorService background = Executors.newVirtualThreadPerTaskExecutor();
  private long beganNanos;

  @Test
  void whatRealClientsAreToldStandsTheChecksOfTheSimulator() throws Exception {
    Optional<Namespaces> network = Tools.namespacesIfPossible();
    Hosts hosts = network.map(Hosts.class::cast).orElse(Hosts.LOOPBACK);
    try (hosts;
        StoreInTrouble store = new StoreInTrouble(directory.resolve("store"));
        ProcessCluster started =
            ProcessCluster.startOnSmallDisks(
                directory, hosts, CONTROLLERS, SERVERS, DISK_MEBIBYTES, store.location(hosts));
        RemoteCluster connected = started.connect();
        RealClient first = new RealClient(started.controllers(), directory, tap -> tap);
        RealClient second = new RealClient(started.controllers(), directory, tap -> tap)) {
      List.of(first, second).forEach(client -> client.client().view().onChange(log::told));
      cluster = started;
      remote = connected;
      faults = new Faults(started, network, store.proxy(), random);
      Waiting.until("the control log", () -> log.state().servers().size() == SERVERS);
      long end = System.nanoTime() + LENGTH.toNanos();
      for (int round = 1; round == 1 || System.nanoTime() < end; round++) {
        play(round);
      }
    }
  }

  private void play(int round) throws Exception {
    schedule.clear();
    histories.clear();
    beganNanos = System.nanoTime();
    try {
      for (Consistency level : LEVELS) {
        histories.add(
            new TableHistory(
                table(level, round), cluster.controllers(), directory, log, random, this::millis));
      }
      for (Strike strike : strikes()) {
        strike(strike.kind(), strike.target());
      }
      if (STRIKES.isEmpty()) {
        restartAll();
      }
      for (TableHistory history : histories) {
        history.finish();
      }
      awaitWhole(Map.of());
      histories.forEach(TableHistory::readCopies);
      judge(round);
      histories.forEach(TableHistory::drop);
    } catch (Exception | Error e) {
      throw kept(round, e);
    } finally {
      histories.forEach(TableHistory::close);
    }
  }

  /**
   * Returns every kind of fault with its target, and also the end of all copies of an actor and of
   * all processes, in random order.
   */
  private List<Strike> strikes() {
    List<Strike> strikes = new ArrayList<>();
    List<Target> targets = new ArrayList<>(List.of(Target.PRIMARY, Target.LEADER, Target.BOTH));
    Collections.shuffle(targets, random);
    for (Kind kind : faults.kinds()) {
      Target target =
          switch (kind) {
            case KILL, PAUSE, PARTITION -> targets.removeFirst();
            case ROT, FULL -> Target.PRIMARY;
            case APART -> Target.PAIR;
            case STORE -> Target.NOBODY;
          };
      strikes.add(new Strike(kind, target));
    }
    strikes.add(new Strike(Kind.KILL, Target.COPIES));
    strikes.add(new Strike(Kind.KILL, Target.ALL));
    strikes.removeIf(strike -> !strike.isSelected());
    if (strikes.isEmpty()) {
      throw new IllegalArgumentException("history.strikes matches no fault");
    }
    Collections.shuffle(strikes, random);
    return strikes;
  }

  /**
   * Returns the definition of a table. An eventual update is acknowledged when no other copy has it
   * yet, so it must be in the store by then.
   */
  private static TableDefinition table(Consistency level, int round) {
    return new TableDefinition(
        level.name().toLowerCase(Locale.ROOT) + "-" + round,
        ModelEngine.NAME,
        new Partitioner.Hash(ACTORS),
        COPIES[round % COPIES.length],
        level == Consistency.EVENTUAL ? Durability.SYNCHRONOUS : Durability.NONE,
        level,
        Map.of());
  }

  /**
   * Waits for all copies and for work, begins a fault, waits for work during it, ends it, and waits
   * for all copies again.
   */
  private void strike(Kind kind, Target target) throws Exception {
    awaitWhole(Map.of());
    histories.forEach(history -> history.awaitEvents(EVENTS));
    histories.forEach(TableHistory::countShortUpdates);
    Map<String, Long> servers = new LinkedHashMap<>();
    for (String server : servers(target)) {
      servers.put(server, log.state().servers().get(server).incarnation());
    }
    List<String> victims = new ArrayList<>(servers.keySet());
    victims.addAll(controllers(target));
    boolean noticed = target != Target.ALL && isNoticed(kind) && !servers.isEmpty();
    boolean untilGivenUp = noticed && (random.nextBoolean() || kind == Kind.PAUSE);
    int millis = random.nextInt(FAULT_MILLIS_MAX) + leastMillis(kind);
    note(kind + " " + victims + (untilGivenUp ? " until given up, and" : " for") + " " + millis);
    faults.begin(kind, victims);
    Optional<Future<Set<Operation>>> restored =
        kind == Kind.STORE && !LENGTH.isZero()
            ? Optional.of(background.submit(() -> stored().restore(RESTORED)))
            : Optional.empty();
    if (untilGivenUp) {
      Waiting.until("notice of " + victims, () -> givenUp(servers));
    }
    for (TableHistory history : histories) {
      history.replaceMortal();
    }
    LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
    Collections.shuffle(victims, random);
    faults.end(kind, victims);
    note("the end of " + kind);
    awaitWhole(kind == Kind.KILL || kind == Kind.ROT ? servers : Map.of());
    note("all copies");
    if (restored.isPresent()) {
      stored().requireRestored(RESTORED, restored.get().get());
      note("what was restored meanwhile is whole");
    }
  }

  /** Returns whether the cluster gives up the victims. */
  private static boolean isNoticed(Kind kind) {
    return switch (kind) {
      case KILL, PAUSE, PARTITION, ROT -> true;
      case FULL, APART, STORE -> false;
    };
  }

  private static int leastMillis(Kind kind) {
    return switch (kind) {
      case KILL, PAUSE, PARTITION, ROT -> 0;
      case FULL, STORE -> FULL_MILLIS_MIN;
      case APART -> APART_MILLIS_MIN;
    };
  }

  /** Returns the table whose acknowledged updates are in the store. */
  private TableHistory stored() {
    return histories.stream()
        .filter(history -> history.table().durability() == Durability.SYNCHRONOUS)
        .findFirst()
        .orElseThrow();
  }

  /** Asks each process to end and starts it again, once all previous copies can be read. */
  private void restartAll() throws IOException {
    for (String name : controllers(Target.ALL)) {
      awaitWhole(Map.of());
      note("restart of " + name);
      cluster.terminate(name);
      cluster.start(name);
    }
    for (String name : servers(Target.ALL)) {
      awaitWhole(Map.of());
      note("restart of " + name);
      long before = log.state().servers().get(name).incarnation();
      cluster.terminate(name);
      cluster.start(name);
      awaitWhole(Map.of(name, before));
    }
    note("all copies");
  }

  private List<String> servers(Target target) {
    return switch (target) {
      case LEADER, NOBODY -> List.of();
      case PRIMARY, BOTH -> List.of(actor().primary());
      case COPIES -> actor().copies().stream().map(CopyState::server).toList();
      case PAIR -> actor().copies().stream().map(CopyState::server).limit(2).toList();
      case ALL -> List.copyOf(log.state().servers().keySet());
    };
  }

  private List<String> controllers(Target target) {
    return switch (target) {
      case PRIMARY, COPIES, PAIR, NOBODY -> List.of();
      case LEADER, BOTH -> List.of(cluster.leader(remote));
      case ALL -> IntStream.rangeClosed(1, CONTROLLERS).mapToObj(i -> "r" + i).toList();
    };
  }

  private void note(String what) {
    String line = millis() + " ms, version " + log.state().version() + ": " + what;
    schedule.add(line);
    System.out.println(line);
  }

  /** Returns the time since the round began, as in the histories. */
  private long millis() {
    return Duration.ofNanos(System.nanoTime() - beganNanos).toMillis();
  }

  /** Returns an actor of one of the tables. */
  private ActorState actor() {
    String table = histories.get(random.nextInt(histories.size())).table().name();
    return log.state().requireTable(table).actors().get(random.nextInt(ACTORS));
  }

  private boolean givenUp(Map<String, Long> servers) {
    ClusterState state = log.state();
    return servers.entrySet().stream()
        .allMatch(
            server ->
                !state.alive(server.getKey())
                    || state.servers().get(server.getKey()).incarnation() > server.getValue());
  }

  /**
   * @param before the lives of servers that have ended
   */
  private void awaitWhole(Map<String, Long> before) {
    Waiting.until(
        "all copies",
        () -> {
          cluster.requireAllRun();
          ClusterState state = log.state();
          return before.entrySet().stream()
                  .allMatch(
                      server ->
                          state.servers().get(server.getKey()).incarnation() > server.getValue())
              && state.servers().values().stream().allMatch(ServerState::alive)
              && histories.stream().allMatch(history -> history.isWhole(state));
        });
    cluster.await("all controllers", state -> ProcessCluster.voting(remote) == CONTROLLERS);
  }

  private void judge(int round) throws IOException {
    log.failure()
        .ifPresent(
            failure -> {
              throw new AssertionError("the control log", failure);
            });
    for (TableHistory history : histories) {
      System.out.println("round " + round + ", " + history.judge());
      boolean ordered = history.table().consistency() == Consistency.ORDERED;
      assertThat(history.shortUpdates() > 0)
          .as("updates of %s took the short way", history.table().name())
          .isEqualTo(ordered);
      if (KEPT.isPresent()) {
        keep(KEPT.get(), history, round);
      }
    }
  }

  private AssertionError kept(int round, Throwable failure) throws IOException {
    List<Path> files = new ArrayList<>();
    for (TableHistory history : histories) {
      files.add(keep(FAILED, history, round));
    }
    cluster.keepLogs(FAILED);
    System.out.println("the histories are in " + files);
    log.failure().filter(known -> known != failure.getCause()).ifPresent(failure::addSuppressed);
    return new AssertionError(
        "seed "
            + SEED
            + ", round "
            + round
            + ", "
            + schedule
            + ": "
            + failure
            + "; the histories are in "
            + files,
        failure);
  }

  private Path keep(Path where, TableHistory history, int round) throws IOException {
    List<String> comment = new ArrayList<>();
    comment.add("seed " + SEED + ", round " + round + ", " + history.table());
    comment.addAll(schedule);
    ClusterState state = log.state();
    comment.add(state.version() + " " + state.servers().values());
    state.table(history.table().name()).ifPresent(known -> comment.add(known.toString()));
    Files.createDirectories(where);
    Path file = where.resolve("seed-" + SEED + "-" + history.table().name() + ".txt");
    Files.writeString(file, history.recording().text(comment));
    return file.toAbsolutePath();
  }
}
