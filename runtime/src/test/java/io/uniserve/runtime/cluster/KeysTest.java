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
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.cluster.TallyEngine.Total;
import io.uniserve.runtime.wire.cluster.ClusterState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An update that is sent again with its key is applied once, and no other is affected. */
@Timeout(120)
class KeysTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** More keys than a copy has in memory. */
  private static final int MANY = 10_100;

  @TempDir Path directory;

  private static void create(LocalCluster cluster, Consistency level) {
    cluster.client.createTable(
        new TableDefinition(
            "t", "tally", new Partitioner.Hash(1), 1, Durability.NONE, level, Map.of()),
        TIMEOUT);
  }

  private static void add(LocalCluster cluster, String key, long amount) {
    add(cluster, "t", key, amount);
  }

  private static void add(LocalCluster cluster, String table, String key, long amount) {
    cluster.client.update(
        table,
        new Add(),
        List.of(new Amount("k", amount)),
        new UpdateOptions(TIMEOUT, Acknowledgement.ALL_COPIES, Optional.of(key)));
  }

  private static long sum(LocalCluster cluster) {
    return sum(cluster, "t");
  }

  private static long sum(LocalCluster cluster, String table) {
    return cluster
        .client
        .query(Plan.query(table, new Total(), TallyEngine.adding()), QueryOptions.DEFAULT)
        .getFirst();
  }

  @ParameterizedTest
  @EnumSource(names = {"EVENTUAL", "ORDERED"})
  void aKeyWithAnotherBodyIsRefused(Consistency level) throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      create(cluster, level);
      add(cluster, "once", 5);
      for (int attempt = 0; attempt < 2; attempt++) {
        assertThatThrownBy(() -> add(cluster, "once", 7))
            .hasMessageContaining("idempotency key: another update was sent with it before")
            .isInstanceOfSatisfying(
                UniserveException.class,
                e -> {
                  assertThat(e.code()).isEqualTo(ErrorCode.ALREADY_EXISTS);
                  assertThat(e.retryable()).isFalse();
                });
        add(cluster, "once", 5);
      }
      assertThat(sum(cluster)).isEqualTo(5);
    }
  }

  @Test
  void aKeyIsKnownHoweverManyUpdatesFollow() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      create(cluster, Consistency.EVENTUAL);
      for (int i = 0; i < MANY; i++) {
        add(cluster, "key-" + i, 1);
      }
      add(cluster, "key-0", 1);
      assertThat(sum(cluster)).isEqualTo(MANY);
    }
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      cluster.await(KeysTest::led);
      add(cluster, "key-1", 1);
      add(cluster, "key-" + (MANY - 1), 1);
      assertThat(sum(cluster)).isEqualTo(MANY);
    }
  }

  /** The former table was led in later epochs than the restored one. */
  @ParameterizedTest
  @EnumSource
  void aRestoredTableAnswersForTheFormerOne(Consistency level) throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      cluster.client.createTable(
          new TableDefinition(
              "t", "tally", new Partitioner.Hash(1), 2, Durability.ASYNCHRONOUS, level, Map.of()),
          TIMEOUT);
      add(cluster, "before", 1);
    }
    for (int restart = 1; restart <= 2; restart++) {
      try (LocalCluster cluster = new LocalCluster(directory, 2)) {
        cluster.await(KeysTest::led);
        add(cluster, "once-" + restart, 5);
        if (restart == 2) {
          cluster.client.backups().backUp("t", TIMEOUT);
          cluster
              .client
              .backups()
              .restore(
                  new Restore(
                      List.of("t"), Optional.empty(), Optional.of("again"), OptionalInt.of(2)),
                  TIMEOUT);
          add(cluster, "again", "once-2", 5);
          add(cluster, "again", "after", 7);
          assertThat(sum(cluster, "again")).isEqualTo(1 + 5 + 5 + 7);
        }
      }
    }
  }

  private static boolean led(ClusterState state) {
    return state.tables().values().stream()
        .flatMap(table -> table.actors().stream())
        .allMatch(actor -> state.alive(actor.primary()));
  }
}
