package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.Restore;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.cluster.TallyEngine.SpoilWriting;
import io.uniserve.runtime.cluster.TallyEngine.Total;
import io.uniserve.runtime.wire.BackupMessage.StoredTable;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DurabilityTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  @TempDir Path directory;

  private static void create(LocalCluster cluster, Durability durability, Duration retention) {
    cluster.client.createTable(
        new TableDefinition(
            "t",
            "tally",
            new Partitioner.Hash(4),
            1,
            durability,
            Consistency.EVENTUAL,
            Map.of(),
            retention),
        TIMEOUT);
  }

  private static void add(LocalCluster cluster, String table, String key, long amount) {
    cluster.client.update(
        table,
        new Add(),
        List.of(new Amount("k" + amount, amount)),
        new UpdateOptions(TIMEOUT, UpdateOptions.Acknowledgement.PRIMARY, Optional.of(key)));
  }

  private static long sum(LocalCluster cluster, String table) {
    return cluster
        .client
        .query(Plan.query(table, new Total(), TallyEngine.adding()), QueryOptions.DEFAULT)
        .getFirst();
  }

  private static Restore restore(Optional<Instant> asOf, String name) {
    return new Restore(List.of("t"), asOf, Optional.of(name), OptionalInt.empty());
  }

  /** Returns a moment after which the clock has moved on. */
  private static Instant moment(LocalCluster cluster) {
    Instant moment = cluster.clock.now();
    while (cluster.clock.now().toEpochMilli() <= moment.toEpochMilli() + 1) {
      Thread.onSpinWait();
    }
    return moment;
  }

  @Test
  void whatWasAcknowledgedSurvivesTheLossOfItsOnlyServerAndDisk() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, Durability.SYNCHRONOUS, Duration.ZERO);
      for (int i = 1; i <= 50; i++) {
        add(cluster, "t", "update-" + i, i);
      }
      cluster.kill("s1");
      loseDisk("s1");
      cluster.await(state -> !state.alive("s1") && whole(cluster, "t"));
      assertThat(sum(cluster, "t")).isEqualTo(50 * 51 / 2);
      for (int i = 1; i <= 50; i++) {
        add(cluster, "t", "update-" + i, i);
      }
      assertThat(sum(cluster, "t")).as("keys are known still").isEqualTo(50 * 51 / 2);
    }
  }

  @Test
  void aServerThatIsClosedHasEndedItsBackups() throws Exception {
    AtomicReference<HeldStore> store = new AtomicReference<>();
    try (LocalCluster cluster =
        new LocalCluster(directory, 1, real -> store.updateAndGet(none -> new HeldStore(real)))) {
      create(cluster, Durability.ASYNCHRONOUS, Duration.ZERO);
      add(cluster, "t", "first", 1);
      store.get().holds.await();
      AtomicLong unwritten = new AtomicLong();
      Thread closing =
          Thread.ofPlatform()
              .start(
                  () -> {
                    cluster.kill("s1");
                    unwritten.set(store.get().written.getCount());
                  });
      closing.join(200); // time enough for a checkpoint that does not wait
      store.get().release.countDown();
      closing.join();
      assertThat(unwritten).hasValue(0);
    }
  }

  @Test
  void anUpdateThatCannotBeStoredFailsAndSaysWhatMayHaveHappened() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      create(cluster, Durability.SYNCHRONOUS, Duration.ZERO);
      add(cluster, "t", "first", 1);
      Path store = directory.resolve("store");
      Files.move(store, directory.resolve("away"));
      Files.writeString(store, "no directory");
      UpdateOptions briefly =
          new UpdateOptions(
              Duration.ofSeconds(1), UpdateOptions.Acknowledgement.PRIMARY, Optional.of("second"));
      assertThatThrownBy(
              () -> cluster.client.update("t", new Add(), List.of(new Amount("k", 10)), briefly))
          .isInstanceOfSatisfying(UniserveException.class, e -> assertThat(e.retryable()).isTrue())
          .hasMessageContaining("was applied at")
          .hasMessageContaining("may be lost");
      UpdateOptions unnamed =
          new UpdateOptions(
              Duration.ofSeconds(1), UpdateOptions.Acknowledgement.PRIMARY, Optional.empty());
      assertThatThrownBy(
              () -> cluster.client.update("t", new Add(), List.of(new Amount("k", 100)), unnamed))
          .as("without a key of the caller's, the same again would be another update")
          .isInstanceOfSatisfying(UniserveException.class, e -> assertThat(e.retryable()).isFalse())
          .hasMessageStartingWith("the outcome is unknown");
      Files.delete(store);
      Files.move(directory.resolve("away"), store);
      cluster.client.update(
          "t",
          new Add(),
          List.of(new Amount("k", 10)),
          new UpdateOptions(TIMEOUT, UpdateOptions.Acknowledgement.PRIMARY, Optional.of("second")));
      assertThat(sum(cluster, "t")).isEqualTo(111);
    }
  }

  @Test
  void aTableIsRestoredAsOfAMomentUnderAnotherNameWithItsKeys() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, Durability.SYNCHRONOUS, TableDefinition.RETENTION_DEFAULT);
      for (int i = 1; i <= 20; i++) {
        add(cluster, "t", "update-" + i, i);
      }
      Instant moment = moment(cluster);
      for (int i = 21; i <= 40; i++) {
        add(cluster, "t", "update-" + i, i);
      }
      cluster.client.backups().backUp("t", TIMEOUT);
      cluster.client.backups().restore(restore(Optional.of(moment), "then"), TIMEOUT);
      cluster.client.backups().restore(restore(Optional.empty(), "now"), TIMEOUT);
      assertThat(sum(cluster, "then")).isEqualTo(20 * 21 / 2);
      assertThat(sum(cluster, "now")).isEqualTo(40 * 41 / 2);
      add(cluster, "then", "update-7", 7);
      add(cluster, "now", "update-39", 39);
      add(cluster, "then", "update-new", 1000);
      assertThat(sum(cluster, "then")).isEqualTo(20 * 21 / 2 + 1000);
      assertThat(sum(cluster, "now")).isEqualTo(40 * 41 / 2);
      assertThat(sum(cluster, "t")).isEqualTo(40 * 41 / 2);
      cluster.kill("s2");
      loseDisk("s2");
      cluster.await(state -> !state.alive("s2") && whole(cluster, "then"));
      assertThat(sum(cluster, "then")).isEqualTo(20 * 21 / 2 + 1000);
    }
  }

  /** A checkpoint without the log after it would be taken for complete data. */
  @Test
  void aRestoreThatIsInterruptedGoesOnWhereItWas() throws Exception {
    AtomicReference<ClosedLogStore> store = new AtomicReference<>();
    try (LocalCluster cluster =
        new LocalCluster(
            directory, 2, real -> store.updateAndGet(none -> new ClosedLogStore(real)))) {
      create(cluster, Durability.SYNCHRONOUS, TableDefinition.RETENTION_DEFAULT);
      for (int i = 1; i <= 8; i++) {
        add(cluster, "t", "update-" + i, i);
      }
      cluster.client.backups().backUp("t", TIMEOUT);
      for (int i = 9; i <= 28; i++) {
        add(cluster, "t", "update-" + i, i);
      }
      CountDownLatch refused = store.get().closeLogs(10);
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread restoring =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      cluster.client.backups().restore(restore(Optional.empty(), "again"), TIMEOUT);
                    } catch (RuntimeException e) {
                      failure.set(e);
                    }
                  });
      refused.await();
      assertThat(restoring.isAlive()).as("is restored without its log").isTrue();
      assertThat(whole(cluster, "again")).isFalse();
      store.get().openLogs();
      restoring.join();
      assertThat(failure).hasNullValue();
      assertThat(sum(cluster, "again")).isEqualTo(28 * 29 / 2);
    }
  }

  @Test
  void aRestoredTableSurvivesTheLossOfAServerAtOnce() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3)) {
      create(cluster, Durability.SYNCHRONOUS, TableDefinition.RETENTION_DEFAULT);
      for (int i = 1; i <= 20; i++) {
        add(cluster, "t", "update-" + i, i);
      }
      cluster.client.backups().restore(restore(Optional.empty(), "again"), TIMEOUT);
      cluster.kill("s2");
      loseDisk("s2");
      cluster.await(state -> !state.alive("s2") && whole(cluster, "again"));
      assertThat(sum(cluster, "again")).isEqualTo(20 * 21 / 2);
    }
  }

  @Test
  void aCopyWhoseEngineWritesNoCheckpointIsMadeAgain() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      create(cluster, Durability.ASYNCHRONOUS, TableDefinition.RETENTION_DEFAULT);
      add(cluster, "t", "before", 5);
      cluster.client.backups().backUp("t", TIMEOUT);
      add(cluster, "t", "between", 7);
      cluster.client.query(
          Plan.query("t", new SpoilWriting(), TallyEngine.adding()), QueryOptions.DEFAULT);
      boolean written = false;
      while (!written) { // until the test's time is up
        try {
          cluster.client.backups().backUp("t", TIMEOUT);
          written = true;
        } catch (UniserveException e) {
          assertThat(e.code()).isNotEqualTo(ErrorCode.INVALID_ARGUMENT);
        }
      }
      assertThat(sum(cluster, "t")).isEqualTo(5 + 7);
    }
  }

  @Test
  void aDroppedTableCanBeRestoredWithinItsRetention() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, Durability.ASYNCHRONOUS, TableDefinition.RETENTION_DEFAULT);
      add(cluster, "t", "only", 5);
      cluster.client.backups().backUp("t", TIMEOUT);
      cluster.client.dropTable("t", TIMEOUT);
      cluster.await(state -> stored(cluster).stream().anyMatch(t -> t.droppedMillis().isPresent()));
      cluster
          .client
          .backups()
          .restore(
              new Restore(List.of("t"), Optional.empty(), Optional.empty(), OptionalInt.of(2)),
              TIMEOUT);
      assertThat(sum(cluster, "t")).isEqualTo(5);
      assertThat(cluster.client.state().requireTable("t").definition().replicas()).isEqualTo(2);
    }
  }

  @Test
  void anotherClusterRestoresWhatIsInTheStore() throws Exception {
    Path store = directory.resolve("one/store");
    try (LocalCluster cluster = new LocalCluster(directory.resolve("one"), 2)) {
      create(cluster, Durability.SYNCHRONOUS, Duration.ZERO);
      add(cluster, "t", "only", 5);
    }
    Files.createDirectories(directory.resolve("two"));
    Files.move(store, directory.resolve("two/store"));
    try (LocalCluster cluster = new LocalCluster(directory.resolve("two"), 1)) {
      create(cluster, Durability.SYNCHRONOUS, Duration.ZERO);
      assertThat(sum(cluster, "t")).as("a table of the same name and identity").isZero();
      String first =
          stored(cluster).stream()
              .filter(table -> !table.cluster().equals(cluster.client.state().cluster()))
              .map(table -> table.cluster() + "/" + table.id())
              .findFirst()
              .orElseThrow();
      cluster
          .client
          .backups()
          .restore(
              new Restore(List.of(first), Optional.empty(), Optional.of("u"), OptionalInt.empty()),
              TIMEOUT);
      assertThat(sum(cluster, "u")).isEqualTo(5);
    }
  }

  @Test
  void whatCannotBeRestoredIsRefusedWithTheReason() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      create(cluster, Durability.SYNCHRONOUS, Duration.ofHours(1));
      refused(cluster, restore(Optional.empty(), "t"), ErrorCode.ALREADY_EXISTS, "another name");
      Instant now = cluster.clock.now();
      refused(
          cluster,
          restore(Optional.of(now.minusSeconds(7200)), "u"),
          ErrorCode.INVALID_ARGUMENT,
          "is kept for");
      refused(
          cluster,
          restore(Optional.of(now.plusSeconds(60)), "u"),
          ErrorCode.INVALID_ARGUMENT,
          "in the future");
      refused(
          cluster,
          new Restore(List.of("x"), Optional.empty(), Optional.empty(), OptionalInt.empty()),
          ErrorCode.NOT_FOUND,
          "no table 'x'");
    }
  }

  private static void refused(
      LocalCluster cluster, Restore restore, ErrorCode code, String message) {
    assertThatThrownBy(() -> cluster.client.backups().restore(restore, TIMEOUT))
        .isInstanceOfSatisfying(UniserveException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  private static List<StoredTable> stored(LocalCluster cluster) {
    return cluster.client.backups().storedTables(TIMEOUT);
  }

  private static boolean whole(LocalCluster cluster, String table) {
    return cluster.client.state().requireTable(table).actors().stream()
        .allMatch(
            actor ->
                actor.copies().size() == 1
                    && actor.copies().getFirst().status() == Status.READY
                    && cluster.client.state().alive(actor.primary()));
  }

  /** Moves a disk away at once, since threads of a killed server may still use its files. */
  private void loseDisk(String server) throws IOException {
    Files.move(directory.resolve(server), directory.resolve("lost-" + server));
  }
}
