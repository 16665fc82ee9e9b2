package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.TableDefinition;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.InvariantViolation;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.runtime.client.Restore;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.scenario.cluster.recording.LogWitness;
import io.uniserve.simulation.scenario.cluster.recording.RecordedTransport;
import io.uniserve.simulation.scenario.cluster.recording.Recording;
import io.uniserve.simulation.scenario.cluster.work.CrashingClient;
import io.uniserve.simulation.scenario.cluster.work.Placing;
import io.uniserve.simulation.scenario.cluster.work.Work;
import io.uniserve.simulation.scenario.cluster.work.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/**
 * One table of a real cluster, the clients that use it, and the history of the answers that they
 * get.
 */
final class TableHistory implements AutoCloseable {
  private static final int CLIENTS = 2;
  private static final int SESSION_PAUSE_MILLIS_MAX = 10_000;
  private static final Work WORK = new Work(2, 2, 1, 0, 0, 0, Placing.NEVER);
  private static final Duration CREATE_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration RESTORE_TIMEOUT = Duration.ofSeconds(60);

  /**
   * The longest wait for a restore, in which all stored objects are read one after another from a
   * slow store.
   */
  private static final Duration RESTORE_PATIENCE = Duration.ofMinutes(5);

  private static final Duration COPY_TIMEOUT = Duration.ofSeconds(10);

  private final TableDefinition table;
  private final List<String> controllers;
  private final Path directory;
  private final LogWitness log;
  private final Recording recording;
  private final Workload.Numbers numbers = new Workload.Numbers();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final List<RealClient> clients = new ArrayList<>();
  private final List<Workload> workloads = new ArrayList<>();
  private final CrashingClient mortal;
  private final List<DyingClient> lives = new ArrayList<>();

  /** The largest number of updates that primaries have counted on the short way. */
  private long shortUpdates;

  /**
   * Creates the table and begins.
   *
   * @param controllers the addresses of the controllers
   * @param log the records of the control log, those of this table included
   * @param seeds the seeds of the clients' requests
   * @param millis the clock for the history
   */
  TableHistory(
      TableDefinition table,
      List<String> controllers,
      Path directory,
      LogWitness log,
      Random seeds,
      LongSupplier millis)
      throws IOException {
    this.table = table;
    this.controllers = controllers;
    this.directory = directory;
    this.log = log;
    recording = new Recording(table, millis);
    log.add(recording);
    mortal = new CrashingClient(table.name(), numbers, recording);
    try {
      begin(seeds);
    } catch (IOException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private void begin(Random seeds) throws IOException {
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(client("client-" + i));
    }
    Waiting.forTable(
        table.name(), () -> clients.getFirst().client().createTable(table, CREATE_TIMEOUT));
    await("all clients to know " + table.name());
    for (int i = 0; i < CLIENTS; i++) {
      RealClient real = clients.get(i);
      Environment own = real.environment();
      Environment seeded =
          new ProductionEnvironment(
              own.clock(),
              new ProductionThreads((thread, failure) -> failures.add(failure)),
              own.storage(),
              new Random(seeds.nextLong()),
              own.transport());
      workloads.add(
          new Workload("client-" + i, seeded, real.client(), table, numbers, recording, WORK)
              .restingBetweenSessions(SESSION_PAUSE_MILLIS_MAX));
    }
    workloads.forEach(workload -> workload.start());
    replaceMortal();
  }

  private void await(String what) {
    Waiting.until(
        what,
        () ->
            isKnown(log.state())
                && clients.stream().allMatch(client -> isKnown(client.client().state())));
  }

  private boolean isKnown(ClusterState state) {
    return state.table(table.name()).isPresent();
  }

  private RealClient client(String name) throws IOException {
    RealClient client =
        new RealClient(
            controllers, directory, next -> new RecordedTransport(next, name, recording));
    client.client().view().onChange(log::told);
    return client;
  }

  /** Lets the mortal client die, unless updates are eventual, and start again. */
  void replaceMortal() throws IOException {
    lives.forEach(DyingClient::close);
    lives.clear();
    if (table.consistency() != Consistency.EVENTUAL) {
      lives.add(
          new DyingClient(client("mortal"), mortal, (thread, failure) -> failures.add(failure)));
    }
  }

  /** Waits for the given number of further events of this table. */
  void awaitEvents(int more) {
    int enough = recording.size() + more;
    Waiting.until(
        more + " more events of " + table.name(),
        () -> recording.size() >= enough || !failures.isEmpty());
  }

  /** Notes how many updates primaries have counted on the short way since they began. */
  void countShortUpdates() {
    long id = log.state().requireTable(table.name()).id();
    long counted =
        clients.getFirst().client().view().statuses(COPY_TIMEOUT).stream()
            .flatMap(server -> server.actors().stream())
            .filter(copy -> copy.actor().table() == id)
            .mapToLong(ServerStatus.ActorStatus::shortUpdates)
            .sum();
    shortUpdates = Math.max(shortUpdates, counted);
  }

  /** Returns the largest number of updates that were counted on the short way at once. */
  long shortUpdates() {
    return shortUpdates;
  }

  /** Returns the failures of the clients. */
  List<Throwable> failures() {
    return List.copyOf(failures);
  }

  /**
   * Returns whether all copies of all actors can be read, in the given state of the control log.
   */
  boolean isWhole(ClusterState state) {
    return state.requireTable(table.name()).actors().stream()
        .allMatch(actor -> isWhole(state, actor));
  }

  private boolean isWhole(ClusterState state, ActorState actor) {
    return actor.copies().size() >= table.replicas()
        && state.alive(actor.primary())
        && actor.copies().stream()
            .allMatch(
                copy -> copy.status() == CopyState.Status.READY && state.alive(copy.server()));
  }

  /** Begins nothing more, and waits until everything that was begun has ended. */
  void finish() throws InterruptedException {
    workloads.forEach(Workload::stop);
    mortal.stop();
    Waiting.until(
        "an end of all that was begun with " + table.name(),
        () -> workloads.stream().allMatch(Workload::finished) || !failures.isEmpty());
    for (DyingClient life : lives) {
      life.join();
    }
  }

  /** Records the content of every copy when everything has ended on all of them. */
  void readCopies() {
    workloads.getFirst().appendEverywhere();
    ClusterState state = log.state();
    TableState known = state.requireTable(table.name());
    known.forEachActor(
        (id, actor) -> {
          for (CopyState copy : actor.copies()) {
            String server = state.servers().get(copy.server()).address().toString();
            recording.held(id.number(), server, journal(server, known.id(), id.number()));
          }
        });
  }

  /**
   * Restores the table under another name, with the content of the store.
   *
   * @return the updates that were acknowledged before
   */
  Set<Operation> restore(String name) {
    Set<Operation> acknowledged = recording.acknowledged();
    Restore restore =
        new Restore(
            List.of(table.name()), Optional.empty(), Optional.of(name), OptionalInt.empty());
    Waiting.forTable(
        name,
        () -> clients.getFirst().client().backups().restore(restore, RESTORE_TIMEOUT),
        RESTORE_PATIENCE);
    return acknowledged;
  }

  /**
   * Compares every copy of a restored table with the acknowledged updates, and drops the table.
   *
   * @throws AssertionError if an update is missing or present twice
   */
  void requireRestored(String name, Set<Operation> acknowledged) {
    ClusterState state = clients.getFirst().client().state();
    TableState restored = state.requireTable(name);
    List<Operation> all = new ArrayList<>();
    for (int actor = 0; actor < restored.actors().size(); actor++) {
      String primary = restored.actors().get(actor).primary();
      String server = state.servers().get(primary).address().toString();
      all.addAll(journal(server, restored.id(), actor));
    }
    assertThat(all).as("restored of " + table.name()).doesNotHaveDuplicates();
    assertThat(all).as("restored of " + table.name()).containsAll(acknowledged);
    drop(name);
  }

  private List<Operation> journal(String server, long id, int actor) {
    return Waiting.forAnswer(
        "the copy of actor " + actor + " on " + server,
        () -> clients.getFirst().journal(server, id, actor, COPY_TIMEOUT));
  }

  /**
   * Judges the history.
   *
   * @return a description of the history for people
   * @throws InvariantViolation if an invariant does not hold
   */
  String judge() {
    for (Throwable failure : failures) {
      if (failure instanceof InvariantViolation violation) {
        throw violation;
      }
      throw new AssertionError("a client of " + table.name() + " failed", failure);
    }
    return table.name()
        + ": "
        + recording.judge()
        + ", "
        + recording.size()
        + " events; the longest update took "
        + recording.longestWaitMillis()
        + " ms"
        + (shortUpdates > 0 ? ", " + shortUpdates + " counted on the short way" : "");
  }

  TableDefinition table() {
    return table;
  }

  Recording recording() {
    return recording;
  }

  /** Drops the table. */
  void drop() {
    drop(table.name());
  }

  private void drop(String name) {
    Waiting.forAnswer(
        "the end of " + name,
        () -> {
          clients.getFirst().client().dropTable(name, CREATE_TIMEOUT);
          return true;
        });
  }

  @Override
  public void close() {
    workloads.forEach(Workload::stop);
    mortal.stop();
    lives.forEach(DyingClient::close);
    clients.forEach(RealClient::close);
  }
}
