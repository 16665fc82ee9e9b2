package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.cluster.TallyEngine.Total;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Updates that are sent again to a copy whose files of idempotency keys were damaged. */
@Timeout(120)
class DamagedKeysTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  /** More than a copy keeps in memory. */
  private static final int UPDATES = 10_100;

  @TempDir Path directory;

  private static void add(LocalCluster cluster, int number, Duration timeout) {
    cluster.client.update(
        "t",
        new Add(),
        List.of(new Amount("k", 1)),
        new UpdateOptions(timeout, Acknowledgement.PRIMARY, Optional.of("key-" + number)));
  }

  private static LocalCluster filled(Path directory, int replicas) throws IOException {
    LocalCluster cluster = new LocalCluster(directory, replicas);
    cluster.client.createTable(
        new TableDefinition(
            "t", "tally", new Partitioner.Hash(1), replicas, Durability.NONE, Map.of()),
        TIMEOUT);
    for (int i = 0; i < UPDATES; i++) {
      add(cluster, i, TIMEOUT);
    }
    return cluster;
  }

  private static ActorState actor(LocalCluster cluster) {
    return cluster.client.state().requireTable("t").actors().getFirst();
  }

  private static long sum(LocalCluster cluster) {
    return cluster
        .client
        .query(Plan.query("t", new Total(), TallyEngine.adding()), QueryOptions.DEFAULT)
        .getFirst();
  }

  /** Changes a bit of each key in the files of the primary. */
  private void damage(LocalCluster cluster) throws IOException {
    int damaged = 0;
    try (Stream<Path> files = Files.walk(directory.resolve(actor(cluster).primary()))) {
      for (Path file : files.filter(it -> it.endsWith("00000000")).toList()) {
        byte[] bytes = Files.readAllBytes(file);
        for (int i = 0; i < bytes.length / 2; i += Long.BYTES) {
          bytes[i] ^= 1;
        }
        Files.write(file, bytes);
        damaged++;
      }
    }
    assertThat(damaged).as("files of keys").isPositive();
  }

  @Test
  void anUpdateThatIsSentAgainIsAppliedOnceIfAnotherCopyHasItsKey() throws Exception {
    try (LocalCluster cluster = filled(directory, 2)) {
      damage(cluster);
      add(cluster, 0, TIMEOUT);
      assertThat(sum(cluster)).isEqualTo(UPDATES);
      cluster.await(
          state -> actor(cluster).copies().stream().allMatch(it -> it.status() == Status.READY));
      add(cluster, 1, TIMEOUT);
      assertThat(sum(cluster)).isEqualTo(UPDATES);
    }
  }

  @Test
  void withoutAnotherCopyItIsRefusedAndTheDataStays() throws Exception {
    try (LocalCluster cluster = filled(directory, 1)) {
      damage(cluster);
      assertThatThrownBy(() -> add(cluster, 0, Duration.ofSeconds(1)))
          .isInstanceOfSatisfying(UniserveException.class, e -> assertThat(e.retryable()).isTrue())
          .hasMessageContaining("the idempotency keys in");
      assertThat(sum(cluster)).isEqualTo(UPDATES);
    }
  }
}
