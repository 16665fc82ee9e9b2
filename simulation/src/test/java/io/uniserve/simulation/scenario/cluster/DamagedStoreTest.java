package io.uniserve.simulation.scenario.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.Restore;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.SimulatedProcess;
import io.uniserve.simulation.disk.SimulatedDisk;
import io.uniserve.simulation.model.AppendOperations;
import io.uniserve.simulation.model.JournalsByActor;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.model.ReadJournal;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A table of synchronous durability whose store is damaged when a copy has to lead that lags. */
class DamagedStoreTest {
  private static final String TABLE = "journals";
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration UPDATE_TIMEOUT = Duration.ofSeconds(2);
  private static final int JOURNAL_MAX = 10_000;

  private SimulatedDisk store;
  private ClusterPrograms programs;
  private ClusterClient client;
  private boolean writing = true;
  private long updates;

  /** Starts a cluster with three copies of its one actor, which its one client updates. */
  private SimulatedCluster start() {
    SimulatedCluster cluster = SoundCluster.of(Duration.ofMillis(1), Duration.ofMillis(2));
    TableDefinition table =
        new TableDefinition(
            TABLE,
            ModelEngine.NAME,
            new Partitioner.Hash(1),
            3,
            Durability.SYNCHRONOUS,
            Consistency.EVENTUAL,
            Map.of());
    ClusterShape shape = new ClusterShape(3, 20_000, 3, 1, table, List.of(), 4_000);
    store = cluster.sharedDisk();
    programs = SoundCluster.add(cluster, shape, store);
    cluster.add("client", environment -> update(environment, table));
    cluster.processes().forEach(SimulatedProcess::start);
    cluster.runUntil(
        "copies", () -> updates > 0 && actor().copies().stream().allMatch(this::ready), PATIENCE);
    return cluster;
  }

  private void update(Environment environment, TableDefinition table) throws InterruptedException {
    ClusterClient fresh = programs.client(environment);
    while (fresh.state().table(TABLE).isEmpty()) {
      create(fresh, table);
    }
    client = fresh;
    while (true) {
      while (!writing) {
        environment.clock().sleep(Duration.ofMillis(10));
      }
      updateOnce(fresh);
    }
  }

  private void updateOnce(ClusterClient fresh) {
    try {
      fresh.update(
          TABLE,
          new AppendOperations(),
          List.of(new Operation(1, updates + 1)),
          new UpdateOptions(UPDATE_TIMEOUT, Acknowledgement.PRIMARY, Optional.empty()));
      updates++;
    } catch (UniserveException e) {
      // expected while nobody leads; only what was acknowledged counts
    }
  }

  /** Creates a table; fails before enough servers have joined. */
  private static void create(ClusterClient client, TableDefinition table) {
    try {
      client.createTable(table, PATIENCE);
    } catch (UniserveException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }
  }

  private ActorState actor() {
    return client.state().requireTable(TABLE).actors().getFirst();
  }

  private boolean ready(CopyState copy) {
    return copy.status() == CopyState.Status.READY;
  }

  private List<String> followers() {
    return actor().copies().stream()
        .map(CopyState::server)
        .filter(server -> !server.equals(actor().primary()))
        .toList();
  }

  private BooleanSupplier more(int count) {
    long before = updates;
    return () -> updates >= before + count;
  }

  /**
   * Lets one copy fall behind the others.
   *
   * @return the others
   */
  private List<String> leaveBehind(SimulatedCluster cluster, String server) {
    List<String> others =
        actor().copies().stream().map(CopyState::server).filter(o -> !o.equals(server)).toList();
    cluster.network().partition(List.of(server), others);
    cluster.runUntil(
        "the copy is left behind", () -> !ready(actor().copyOn(server).orElseThrow()), PATIENCE);
    cluster.runUntil("updates without it", more(5), PATIENCE);
    return others;
  }

  /** Lets all that the store has of updates, but for checkpoints, be cut off. */
  private void damageLog() throws IOException {
    try (Stream<Path> all = Files.walk(store.root())) {
      for (Path file : all.toList()) {
        if (file.getFileName().toString().startsWith("log-") && Files.isRegularFile(file)) {
          Files.write(file, new byte[] {1});
        }
      }
    }
  }

  @Test
  void aCopyWithMoreLeadsWhenItComesBack() throws IOException {
    try (SimulatedCluster cluster = start()) {
      String before = actor().primary();
      String behind = followers().getFirst();
      List<String> others = leaveBehind(cluster, behind);
      others.forEach(other -> cluster.process(other).crash());
      damageLog();
      cluster.network().rejoin(List.of(behind), others);
      cluster.runUntil(
          "the copy that lags is elected", () -> actor().primary().equals(behind), PATIENCE);
      cluster.run(Duration.ofSeconds(5));
      BooleanSupplier again = more(2);
      assertThat(again.getAsBoolean()).isFalse();
      cluster.process(before).start();
      cluster.runUntil("updates go on", again, PATIENCE);
      assertThat(actor().primary()).isEqualTo(before);
    }
  }

  @Test
  void aCheckpointAfterTheDamageIsEnough() throws IOException {
    try (SimulatedCluster cluster = start()) {
      String behind = followers().getFirst();
      List<String> others = leaveBehind(cluster, behind);
      writing = false;
      backUp(cluster);
      others.forEach(other -> cluster.process(other).crash());
      damageLog();
      cluster.network().rejoin(List.of(behind), others);
      writing = true;
      cluster.runUntil("updates go on", more(2), PATIENCE);
      assertThat(actor().primary()).isEqualTo(behind);
    }
  }

  @Test
  void aCopyWithEverythingBeginsTheHistoryAnew() throws IOException {
    try (SimulatedCluster cluster = start()) {
      cluster.process(actor().primary()).crash();
      cluster.runUntil("updates go on", more(5), PATIENCE);
      writing = false;
      cluster.run(UPDATE_TIMEOUT); // so that the other copy is level
      deleteRecords();
      String primary = actor().primary();
      cluster.process(primary).crash();
      cluster.run(UPDATE_TIMEOUT);
      writing = true;
      cluster.runUntil("updates go on", more(5), PATIENCE);
      assertThat(actor().primary()).isNotEqualTo(primary);
      cluster.process(primary).start();
      requireRestorable(cluster);
    }
  }

  @Test
  void aCopyThatLacksSomethingDoesNotBeginTheHistoryAnew() throws IOException {
    try (SimulatedCluster cluster = start()) {
      String before = actor().primary();
      String behind = followers().getFirst();
      List<String> others = leaveBehind(cluster, behind);
      others.forEach(other -> cluster.process(other).crash());
      deleteRecords();
      damageLog();
      cluster.network().rejoin(List.of(behind), others);
      cluster.runUntil(
          "the copy that lags is elected", () -> actor().primary().equals(behind), PATIENCE);
      cluster.run(Duration.ofSeconds(5));
      BooleanSupplier again = more(2);
      assertThat(again.getAsBoolean()).isFalse();
      cluster.process(before).start();
      cluster.runUntil("updates go on", again, PATIENCE);
      assertThat(actor().primary()).isEqualTo(before);
      requireRestorable(cluster);
    }
  }

  @Test
  void aPrimaryMakesItsLostRecordGoodAtTheNextCheckpoint() throws IOException {
    try (SimulatedCluster cluster = start()) {
      cluster.process(actor().primary()).crash();
      cluster.runUntil("updates go on", more(5), PATIENCE);
      deleteRecords();
      requireRestorable(cluster);
    }
  }

  /** Deletes the records of where primaries continued from. */
  private void deleteRecords() throws IOException {
    boolean deleted = false;
    try (Stream<Path> all = Files.walk(store.root())) {
      for (Path file : all.toList()) {
        if (file.getFileName().toString().startsWith("reign-")) {
          Files.delete(file);
          deleted = true;
        }
      }
    }
    assertThat(deleted).isTrue();
  }

  /** Requires that a restore has everything that was acknowledged. */
  private void requireRestorable(SimulatedCluster cluster) {
    writing = false;
    cluster.run(UPDATE_TIMEOUT.multipliedBy(2));
    List<Operation> restored = new ArrayList<>();
    cluster
        .add("restorer", environment -> restored.addAll(restored(programs.client(environment))))
        .start();
    cluster.runUntil("a restore", () -> restored.size() >= updates, PATIENCE);
    assertThat(new LinkedHashSet<>(restored)).hasSize(restored.size()).hasSize((int) updates);
  }

  private static List<Operation> restored(ClusterClient client) {
    String name = "restored";
    client.backups().backUp(TABLE, PATIENCE);
    client
        .backups()
        .restore(
            new Restore(List.of(TABLE), Optional.empty(), Optional.of(name), OptionalInt.of(2)),
            PATIENCE);
    return client
        .query(
            Plan.query(name, new ReadJournal(JOURNAL_MAX), new JournalsByActor()),
            new QueryOptions(PATIENCE))
        .get(0);
  }

  /** Brings everything into the store, with a checkpoint. */
  private void backUp(SimulatedCluster cluster) {
    boolean[] done = {false};
    cluster
        .add(
            "operator",
            environment -> {
              programs.client(environment).backups().backUp(TABLE, PATIENCE);
              done[0] = true;
            })
        .start();
    cluster.runUntil("a backup", () -> done[0], PATIENCE);
  }
}
