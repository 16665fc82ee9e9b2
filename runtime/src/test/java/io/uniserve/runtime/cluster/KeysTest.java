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
    cluster.client.update(
        "t",
        new Add(),
        List.of(new Amount("k", amount)),
        new UpdateOptions(TIMEOUT, Acknowledgement.ALL_COPIES, Optional.of(key)));
  }

  private static long sum(LocalCluster cluster) {
    return cluster
        .client
        .query(Plan.query("t", new Total(), TallyEngine.adding()), QueryOptions.DEFAULT)
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

  private static boolean led(ClusterState state) {
    return state.tables().values().stream()
        .flatMap(table -> table.actors().stream())
        .allMatch(actor -> state.alive(actor.primary()));
  }
}
